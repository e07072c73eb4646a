import { inflateGzip } from '#inflate-gzip';
import { BgzfError } from './bgzf-error.js';
import { findBlockHeader } from './block-header.js';
import type { EngineOptions } from './codec-engine.js';
import { DEFAULT_MAX_BYTES, inflateBlocks } from './inflate-block.js';

/**
 * The uncompressed data of a whole gzip file: BGZF, or any other gzip (RFC 1952) of one member or several. Zero bytes
 * behind the last member are padding. Throws as `inflateBlocks`; INVALID_DATA for other gzip that is corrupt, incomplete
 * or followed by something else; LIMIT_EXCEEDED if the data is longer than `maxBytes`, by default 1 GiB.
 */
export function gunzip(
  bytes: Uint8Array,
  options: EngineOptions & { readonly maxBytes?: number | undefined } = {},
): Uint8Array<ArrayBuffer> {
  if (beginsWithBlock(bytes)) return inflateBlocks(bytes, options);
  const { maxBytes = DEFAULT_MAX_BYTES } = options;
  const data = inflateGzip(bytes, maxBytes);
  if (data.length > maxBytes) {
    throw new BgzfError('LIMIT_EXCEEDED', `the uncompressed data is longer than ${maxBytes} bytes`, { offset: 0 });
  }
  return data;
}

function beginsWithBlock(bytes: Uint8Array): boolean {
  try {
    return findBlockHeader(bytes, { at: 0, coffset: 0 }) !== undefined;
  } catch {
    return false;
  }
}
