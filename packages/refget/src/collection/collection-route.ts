import { METHODS } from '../json-response.js';

/** What a path below the mount point means; all parts are percent-decoded (sequence collections 1.0.0, §3). */
export type CollectionRoute =
  | { readonly kind: 'service-info' | 'list' }
  | { readonly kind: 'collection'; readonly digest: string }
  | { readonly kind: 'comparison'; readonly a: string; readonly b: string }
  /** With a collection that the client sends. */
  | { readonly kind: 'local-comparison'; readonly a: string }
  | { readonly kind: 'attribute'; readonly attribute: string; readonly digest: string };

/** The route of a URL path; undefined if it leads nowhere. A slash at the end is allowed. */
export function parseCollectionRoute(pathname: string): CollectionRoute | undefined {
  const [, area, ...rest] = pathname
    .replace(/(?<=.)\/$/, '')
    .split('/')
    .map(decodeSegment);
  const [first, second, third] = rest;
  if (rest.some((segment) => segment === undefined || segment === '')) return undefined;
  switch (`${area}/${rest.length}`) {
    case 'service-info/0':
      return { kind: 'service-info' };
    case 'collection/1':
      return { kind: 'collection', digest: first ?? '' };
    case 'comparison/1':
      return { kind: 'local-comparison', a: first ?? '' };
    case 'comparison/2':
      return { kind: 'comparison', a: first ?? '', b: second ?? '' };
    case 'list/1':
      return first === 'collection' ? { kind: 'list' } : undefined;
    case 'attribute/3':
      return first === 'collection' ? { kind: 'attribute', attribute: second ?? '', digest: third ?? '' } : undefined;
    default:
      return undefined;
  }
}

/** The methods that a route answers. */
export function collectionMethods(route: CollectionRoute | undefined): readonly string[] {
  return route?.kind === 'local-comparison' ? ['POST', 'OPTIONS'] : METHODS;
}

function decodeSegment(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
