import { parseHtsgetPath } from '@htskit/htsget/internal';
import { stripPrefix } from '@htskit/http/internal';

/** The resource that a URL path names. */
export type CoveragePath =
  | { readonly kind: 'bins'; readonly id: string }
  /** `id` is without `.bw`. */
  | { readonly kind: 'bigWig'; readonly id: string }
  | { readonly kind: 'unknown'; readonly message: string };

const AREA = '/coverage/';
const BIG_WIG = '.bw';

/** Classifies the path of a request to a handler that is mounted at `prefix`. Ids are those of htsget. */
export function parseCoveragePath(pathname: string, prefix?: string): CoveragePath {
  const path = stripPrefix(pathname, prefix) ?? '';
  if (!path.startsWith(AREA)) return { kind: 'unknown', message: 'no coverage at this path; expected /coverage/ID' };
  const isBigWig = path.endsWith(BIG_WIG) && path.length > AREA.length + BIG_WIG.length;
  const encoded = path.slice(AREA.length, isBigWig ? -BIG_WIG.length : undefined);
  const object = parseHtsgetPath(`/reads/${encoded}`);
  if (object.kind !== 'ticket') return { kind: 'unknown', message: 'there is no object with this id' };
  return { kind: isBigWig ? 'bigWig' : 'bins', id: object.id };
}
