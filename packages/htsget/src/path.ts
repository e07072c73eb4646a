import { decodePathPart, stripPrefix } from '@htskit/http/internal';
import type { Datatype } from '@htskit/protocol';

/** The resource that a URL path names. */
export type HtsgetPath =
  | { readonly kind: 'ticket'; readonly datatype: Datatype; readonly id: string }
  | { readonly kind: 'service-info'; readonly datatype: Datatype }
  | { readonly kind: 'block'; readonly token: string }
  | { readonly kind: 'unknown'; readonly message: string };

/**
 * Classifies the path of a request to a handler that is mounted at `prefix`. An id is decoded. An id that could leave a folder
 * (an empty, `.` or `..` segment, or NUL) is unknown, before any storage sees it.
 */
export function parseHtsgetPath(pathname: string, prefix?: string): HtsgetPath {
  const [, area = '', rest = ''] = /^\/([^/]*)\/(.+)$/.exec(stripPrefix(pathname, prefix) ?? '') ?? [];
  if (area === 'blocks') return { kind: 'block', token: rest };
  if (area !== 'reads' && area !== 'variants') return { kind: 'unknown', message: describeUnknown(pathname, prefix) };
  if (rest === 'service-info') return { kind: 'service-info', datatype: area };
  const id = decodeId(rest);
  return id === undefined
    ? { kind: 'unknown', message: 'there is no object with this id' }
    : { kind: 'ticket', datatype: area, id };
}

/** Names the expected paths, and the `prefix` option if the path looks as if it had been forgotten. */
function describeUnknown(pathname: string, prefix = ''): string {
  const mount = prefix.replace(/\/+$/, '');
  const isMounted = mount === '' && /.\/(reads|variants|blocks)\/./.test(pathname);
  const hint = isMounted ? '; a handler that is mounted at a path needs the "prefix" option' : '';
  return `no htsget resource at this path; expected ${mount}/reads/ID or ${mount}/variants/ID${hint}`;
}

function decodeId(encoded: string): string | undefined {
  const id = decodePathPart(encoded);
  if (id === undefined) return undefined;
  const isUnsafe = id.includes('\0') || id.split('/').some((segment) => ['', '.', '..'].includes(segment));
  return isUnsafe ? undefined : id;
}
