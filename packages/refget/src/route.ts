import { decodePathPart, stripPrefix } from '@htskit/http/internal';
import { RefgetError } from '@htskit/protocol';
import type { RefgetObject } from './options.js';

/** A resource of refget 2.0.0. */
export type SequenceRoute =
  | { readonly kind: 'service-info' }
  /** `id` is percent-decoded. */
  | { readonly kind: 'sequence' | 'metadata'; readonly id: string };

/** A resource of sequence collections 1.0.0, §3. All parts are percent-decoded. */
export type CollectionRoute =
  | { readonly kind: 'service-info' | 'list' }
  | { readonly kind: 'collection'; readonly digest: string }
  /** The collection as a FASTA file, or the index of that file. Not part of the specification. */
  | { readonly kind: 'fasta' | 'fai'; readonly digest: string }
  /** The bases of regions in the body of the request. Not part of the specification. */
  | { readonly kind: 'regions'; readonly digest: string }
  /** The digests that an attribute has in any collection. Not part of the specification. */
  | { readonly kind: 'attribute-list'; readonly attribute: string }
  | { readonly kind: 'comparison'; readonly a: string; readonly b: string }
  /** A comparison with a collection in the body of the request. */
  | { readonly kind: 'local-comparison'; readonly a: string }
  | { readonly kind: 'attribute'; readonly attribute: string; readonly digest: string };

/** The resource that a URL path names. */
export type RefgetPath =
  | { readonly area: 'sequence'; readonly route: SequenceRoute }
  | { readonly area: 'collection'; readonly route: CollectionRoute };

/** The methods of every resource without a body of requests. */
export const METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Classifies the path of a request to a handler that is mounted at `prefix`. Returns undefined for a path that is not a
 * resource.
 */
export function parseRefgetPath(pathname: string, prefix?: string): RefgetPath | undefined {
  const path = stripPrefix(pathname, prefix);
  if (path === undefined) return undefined;
  const sequence = parseSequenceRoute(path);
  if (sequence !== undefined) return { area: 'sequence', route: sequence };
  const collection = parseCollectionRoute(path);
  return collection && { area: 'collection', route: collection };
}

/** Parses a path below the mount point, with or without a trailing slash. */
export function parseSequenceRoute(pathname: string): SequenceRoute | undefined {
  const match = /^\/sequence\/([^/]+)(\/metadata)?\/?$/.exec(pathname);
  const id = decodePathPart(match?.[1] ?? '');
  if (id === undefined || id === '') return undefined;
  if (match?.[2] !== undefined) return { kind: 'metadata', id };
  // Takes precedence over sequences, so that no id can shadow it.
  return id === 'service-info' ? { kind: 'service-info' } : { kind: 'sequence', id };
}

/** Parses a path below the mount point, with or without a trailing slash. */
export function parseCollectionRoute(pathname: string): CollectionRoute | undefined {
  const [, area, ...rest] = pathname
    .replace(/(?<=.)\/$/, '')
    .split('/')
    .map(decodePathPart);
  const [first, second, third] = rest;
  if (rest.some((segment) => segment === undefined || segment === '')) return undefined;
  switch (`${area}/${rest.length}`) {
    case 'service-info/0':
      return { kind: 'service-info' };
    case 'collection/1':
      return { kind: 'collection', digest: first ?? '' };
    case 'collection/2':
      if (second === 'regions') return { kind: 'regions', digest: first ?? '' };
      if (second === 'fasta') return { kind: 'fasta', digest: first ?? '' };
      return second === 'fasta.fai' ? { kind: 'fai', digest: first ?? '' } : undefined;
    case 'comparison/1':
      return { kind: 'local-comparison', a: first ?? '' };
    case 'comparison/2':
      return { kind: 'comparison', a: first ?? '', b: second ?? '' };
    case 'list/1':
      return first === 'collection' ? { kind: 'list' } : undefined;
    case 'list/2':
      return first === 'attributes' ? { kind: 'attribute-list', attribute: second ?? '' } : undefined;
    case 'attribute/3':
      return first === 'collection' ? { kind: 'attribute', attribute: second ?? '', digest: third ?? '' } : undefined;
    default:
      return undefined;
  }
}

/**
 * Returns the object that a path names: the first segment of the path and the others, decoded. The metadata of a sequence
 * belong to the sequence. Returns undefined for service-info.
 */
export function refgetObjectOf({ area, route }: RefgetPath): RefgetObject | undefined {
  switch (route.kind) {
    case 'service-info':
      return undefined;
    case 'list':
      return { resource: 'list', id: 'collection' };
    case 'attribute-list':
      return { resource: 'list', id: `attributes/${route.attribute}` };
    case 'attribute':
      return { resource: 'attribute', id: `collection/${route.attribute}/${route.digest}` };
    case 'comparison':
      return { resource: 'comparison', id: `${route.a}/${route.b}` };
    case 'local-comparison':
      return { resource: 'comparison', id: route.a };
    case 'collection':
    case 'fai':
      return { resource: area, id: route.digest };
    case 'fasta':
    case 'regions':
      return { resource: area, id: `${route.digest}/${route.kind}` };
    case 'sequence':
    case 'metadata':
      return { resource: area, id: route.id };
  }
}

/** Returns the methods of a resource. */
export function methodsOf(target: RefgetPath | undefined): readonly string[] {
  const hasBody = target?.route.kind === 'local-comparison' || target?.route.kind === 'regions';
  return hasBody ? ['POST', 'OPTIONS'] : METHODS;
}

/** Returns the error for a path that is not a resource. Names the `prefix` option if the path looks as if it were missing. */
export function unknownPath(pathname: string, prefix = ''): RefgetError {
  const mount = prefix.replace(/\/+$/, '');
  const isMounted = mount === '' && /.\/(sequence|collection|comparison|list|attribute)\/./.test(pathname);
  const hint = isMounted ? '; a handler that is mounted at a path needs the "prefix" option' : '';
  return new RefgetError('Not Found', `no refget resource at this path; expected ${mount}/sequence/ID${hint}`);
}
