import { decodeObjectId } from '@htskit/htsget/internal';
import { stripPrefix } from '@htskit/http/internal';

/** The resource that a URL path names. */
export type CoveragePath =
  | { readonly kind: 'bins'; readonly id: string }
  | { readonly kind: 'unknown'; readonly message: string };

const AREA = '/coverage/';

/** Classifies the path of a request to a handler that is mounted at `prefix`. An id that could leave a folder is unknown. */
export function parseCoveragePath(pathname: string, prefix?: string): CoveragePath {
  const path = stripPrefix(pathname, prefix) ?? '';
  if (!path.startsWith(AREA) || path === AREA) {
    return { kind: 'unknown', message: `no coverage at this path; expected ${prefix ?? ''}${AREA}ID` };
  }
  const id = decodeObjectId(path.slice(AREA.length));
  return id === undefined ? { kind: 'unknown', message: 'there is no object with this id' } : { kind: 'bins', id };
}
