import { inflateGzip } from '#inflate-gzip';
import { BgzfError } from './bgzf-error.js';
import { describeNoGzip } from './block/block-layout.js';

/** Default limit of the data: 1 GiB. */
const DEFAULT_MAX_BYTES = 2 ** 30;

/**
 * Returns the uncompressed data of a whole gzip file: BGZF, or any other gzip (RFC 1952) of one or several members.
 * Zero bytes after the last member are padding. Throws INVALID_DATA for bytes that are not gzip, and for gzip that is
 * corrupt, incomplete or followed by other bytes; LIMIT_EXCEEDED if the data is longer than `maxBytes`, by default 1 GiB.
 * Damaged BGZF may have the codes of `inflateBlocks` instead. Node uses node:zlib and WebAssembly; other runtimes plain
 * JavaScript, which is small: `inflateBlocks` is faster there for BGZF.
 *
 * @example
 * const text = new TextDecoder().decode(gunzip(readFileSync('regions.bed.gz')));
 */
export function gunzip(
  bytes: Uint8Array,
  { maxBytes = DEFAULT_MAX_BYTES }: { readonly maxBytes?: number | undefined } = {},
): Uint8Array<ArrayBuffer> {
  if (bytes.length > 0 && !(bytes[0] === 0x1f && bytes[1] === 0x8b)) {
    throw new BgzfError('INVALID_DATA', describeNoGzip(bytes, 0), { offset: 0 });
  }
  return inflateGzip(bytes, maxBytes);
}
