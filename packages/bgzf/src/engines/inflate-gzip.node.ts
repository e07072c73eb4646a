import { gunzipSync } from 'node:zlib';
import { BgzfError } from '../bgzf-error.js';
import { findBlockHeader } from '../block/block-layout.js';
import { inflateBlocks } from '../block/inflate-blocks.js';

/**
 * Returns the data of all members. Throws LIMIT_EXCEEDED if it is longer than `maxBytes`, INVALID_DATA, and for BGZF what
 * `inflateBlocks` throws.
 */
export function inflateGzip(bytes: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  if (startsWithBlock(bytes)) return inflateBlocks(bytes, { maxBytes });
  try {
    // A limit of 0 would disable the check.
    const data = gunzipSync(bytes, { maxOutputLength: Math.max(1, maxBytes) });
    if (data.length <= maxBytes) return ownBytes(data);
  } catch (cause) {
    if (!(cause instanceof RangeError)) {
      throw new BgzfError('INVALID_DATA', 'the gzip data is corrupt or incomplete', { offset: 0, cause });
    }
  }
  throw new BgzfError('LIMIT_EXCEEDED', `the uncompressed data is longer than ${maxBytes} bytes`, { offset: 0 });
}

/** Returns a buffer as bytes. Short buffers share their memory with others, so that they are copied. */
function ownBytes(data: Buffer<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return data.length === data.buffer.byteLength ? new Uint8Array(data.buffer) : new Uint8Array(data);
}

function startsWithBlock(bytes: Uint8Array): boolean {
  try {
    return findBlockHeader(bytes, { offset: 0, coffset: 0 }) !== undefined;
  } catch {
    return false;
  }
}
