import { inflateGzip } from '#inflate-gzip';
import { BgzfError } from './bgzf-error.js';
import { describeNoGzip, findBlockHeader } from './block/block-layout.js';
import { DEFAULT_MAX_BYTES, inflateBlocks } from './block/inflate-blocks.js';
import type { EngineOptions } from './engines/codec-engine.js';

/**
 * Returns the uncompressed data of a whole gzip file: BGZF, or any other gzip (RFC 1952) of one or several members.
 * Zero bytes after the last member are padding. Throws the same errors as `inflateBlocks` for BGZF; INVALID_DATA for
 * other gzip that is corrupt, incomplete or followed by other bytes; LIMIT_EXCEEDED if the data is longer than
 * `maxBytes`, by default 1 GiB.
 *
 * @example
 * const text = new TextDecoder().decode(gunzip(readFileSync('regions.bed.gz')));
 */
export function gunzip(
  bytes: Uint8Array,
  options: EngineOptions & { readonly maxBytes?: number | undefined } = {},
): Uint8Array<ArrayBuffer> {
  if (startsWithBlock(bytes)) return inflateBlocks(bytes, options);
  if (bytes.length > 0 && !(bytes[0] === 0x1f && bytes[1] === 0x8b)) {
    throw new BgzfError('INVALID_DATA', describeNoGzip(bytes, 0), { offset: 0 });
  }
  const { maxBytes = DEFAULT_MAX_BYTES } = options;
  const data = inflateGzip(bytes, maxBytes);
  if (data.length > maxBytes) {
    throw new BgzfError('LIMIT_EXCEEDED', `the uncompressed data is longer than ${maxBytes} bytes`, { offset: 0 });
  }
  return data;
}

function startsWithBlock(bytes: Uint8Array): boolean {
  try {
    return findBlockHeader(bytes, { offset: 0, coffset: 0 }) !== undefined;
  } catch {
    return false;
  }
}
