import { gunzipSync } from 'node:zlib';
import { BgzfError } from '../bgzf-error.js';
import { findBlockHeader } from '../block/block-layout.js';
import { inflateBlocks } from '../block/inflate-blocks.js';

/** Bytes of ISIZE, the last field of a member (RFC 1952 §2.3.1). */
const SIZE_BYTES = 4;
/** How many times as long as its DEFLATE data is data at most. */
const MAX_EXPANSION = 1032;
/** The least chunk of node:zlib. */
const MIN_CHUNK_BYTES = 64;

/**
 * Returns the data of all members. Throws LIMIT_EXCEEDED if it is longer than `maxBytes`, INVALID_DATA, and for BGZF what
 * `inflateBlocks` throws.
 */
export function inflateGzip(bytes: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  if (startsWithBlock(bytes)) return inflateBlocks(bytes, { maxBytes });
  try {
    // A limit of 0 would disable the check. Data that fills a chunk gets another one, and is copied.
    const chunkSize = Math.max(MIN_CHUNK_BYTES, Math.min(expectedBytes(bytes), maxBytes) + 1);
    const data = gunzipSync(bytes, { maxOutputLength: Math.max(1, maxBytes), chunkSize });
    if (data.length <= maxBytes) return ownBytes(data);
  } catch (cause) {
    if (!(cause instanceof RangeError)) {
      throw new BgzfError('INVALID_DATA', 'the gzip data is corrupt or incomplete', { offset: 0, cause });
    }
  }
  throw new BgzfError('LIMIT_EXCEEDED', `the uncompressed data is longer than ${maxBytes} bytes`, { offset: 0 });
}

/** Returns the bytes that the end of the data declares, of as many as gzip can hold. Those of several members are those of the last. */
function expectedBytes(bytes: Uint8Array): number {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(-SIZE_BYTES);
  return Math.min(a + 2 ** 8 * b + 2 ** 16 * c + 2 ** 24 * d, MAX_EXPANSION * bytes.length);
}

/** Returns a buffer as bytes. It is copied if most of its memory is unused, or used by other buffers. */
function ownBytes(data: Buffer<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const isOwn = 2 * data.length > data.buffer.byteLength;
  return isOwn ? new Uint8Array(data.buffer, data.byteOffset, data.length) : new Uint8Array(data);
}

function startsWithBlock(bytes: Uint8Array): boolean {
  try {
    return findBlockHeader(bytes, { offset: 0, coffset: 0 }) !== undefined;
  } catch {
    return false;
  }
}
