import { SEGMENT_BYTES } from '@htskit/crypt4gh/internal';
import type { Padding } from '../block-url/block-claim.js';

/** Bytes of an empty BGZF block with a filler of no bytes: gzip header, BSIZE, the filler's subfield, DEFLATE data and trailer. */
const LEAST_BLOCK_BYTES = 32;

const ZEROS = new Uint8Array(SEGMENT_BYTES);

/** Returns the number of bytes that fill some bytes up to whole segments. */
export function paddingBytes(plainBytes: number, padding: Padding): number {
  const missing = -plainBytes % SEGMENT_BYTES;
  const bytes = missing === 0 ? 0 : missing + SEGMENT_BYTES;
  return padding === 'blocks' && bytes > 0 && bytes < LEAST_BLOCK_BYTES ? bytes + SEGMENT_BYTES : bytes;
}

/** Returns what fills some bytes up to whole segments: a file with it has the same records. */
export function createPadding(plainBytes: number, padding: Padding): readonly Uint8Array[] {
  const bytes = paddingBytes(plainBytes, padding);
  if (padding === 'zeros') return [ZEROS.subarray(0, bytes)];
  const first = bytes > SEGMENT_BYTES ? SEGMENT_BYTES / 2 : bytes;
  return [first, bytes - first].filter((size) => size > 0).map(emptyBlock);
}

/**
 * Creates an empty BGZF block of `size` bytes: after BSIZE, its header has a subfield of zeros, which readers skip (RFC 1952
 * §2.3.1.1, SAMv1 §4.1).
 */
function emptyBlock(size: number): Uint8Array {
  const block = new Uint8Array(size);
  const view = new DataView(block.buffer);
  const filler = size - LEAST_BLOCK_BYTES;
  block.set([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff]);
  view.setUint16(10, 10 + filler, true);
  block.set([0x42, 0x43, 2, 0], 12);
  view.setUint16(16, size - 1, true);
  block.set([0x50, 0x44], 18);
  view.setUint16(20, filler, true);
  block.set([3, 0], 22 + filler);
  return block;
}
