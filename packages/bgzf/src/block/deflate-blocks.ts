import { defaultDeflateEngine } from '#deflate-engine';
import type { DeflateEngine } from '../engines/codec-engine.js';
import { FOOTER_LENGTH } from './block-layout.js';

/**
 * Uncompressed bytes in each written block, as in htslib: if they do not compress, they still fit a block when stored.
 */
export const BLOCK_DATA_BYTES: number = 0xff00;
export const DEFAULT_LEVEL = 6;

/** gzip header with a BC subfield (SAMv1 §4.1): no MTIME, no XFL, OS unknown, XLEN 6, and BSIZE still 0. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, 0x42, 0x43, 2, 0, 0, 0);
const BSIZE_OFFSET = 16;

/** Bytes that a stored DEFLATE block (RFC 1951 §3.2.4) adds to its data of at most 65535 bytes. */
export const STORED_OVERHEAD = 5;
/** Upper bound of the bytes that a block adds to its data. */
const BLOCK_OVERHEAD = HEADER.length + STORED_OVERHEAD + FOOTER_LENGTH;

export interface DeflateOptions {
  /** Default: the fastest of this runtime, like `defaultEngine()`. */
  readonly engine?: DeflateEngine;
  /** 0 (stored) to 9 (smallest). Default 6. */
  readonly level?: number;
}

/**
 * Compresses `data` to consecutive blocks, each but the last of 65280 bytes of data, without an EOF marker. Empty data
 * results in no block. The same data, level and engine always result in the same bytes. Throws RangeError for an
 * invalid level.
 *
 * @example
 * const file = concatBytes([deflateBlocks(data, { level: 6 }), EOF_MARKER]);
 */
export function deflateBlocks(data: Uint8Array, options: DeflateOptions = {}): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(data.length + Math.ceil(data.length / BLOCK_DATA_BYTES) * BLOCK_OVERHEAD);
  return bytes.slice(0, deflateBlocksInto(bytes, data, options));
}

/** Compresses like `deflateBlocks` to the start of `target`, and returns the number of bytes written. */
export function deflateBlocksInto(
  target: Uint8Array,
  data: Uint8Array,
  { level = DEFAULT_LEVEL, engine = defaultDeflateEngine() }: DeflateOptions,
): number {
  checkLevel(level);
  let byteLength = 0;
  for (let offset = 0; offset < data.length; offset += BLOCK_DATA_BYTES) {
    const block = target.subarray(byteLength);
    byteLength += deflateBlock(block, data.subarray(offset, offset + BLOCK_DATA_BYTES), { level, engine });
  }
  return byteLength;
}

/** Throws RangeError unless `level` is an integer from 0 to 9. */
export function checkLevel(level: number): void {
  if (!Number.isInteger(level) || level < 0 || level > 9) throw new RangeError(`level ${level} is not within 0 to 9`);
}

function deflateBlock(
  target: Uint8Array,
  data: Uint8Array,
  { level, engine }: { readonly level: number; readonly engine: DeflateEngine },
): number {
  target.set(HEADER);
  const footerStart = HEADER.length + deflateData(target.subarray(HEADER.length), data, { level, engine });
  const byteLength = footerStart + FOOTER_LENGTH;
  const view = new DataView(target.buffer, target.byteOffset, byteLength);
  view.setUint16(BSIZE_OFFSET, byteLength - 1, true);
  view.setUint32(footerStart, engine.crc32(data), true);
  view.setUint32(footerStart + 4, data.length, true);
  return byteLength;
}

/**
 * Compresses at most 65535 bytes to raw DEFLATE at the start of `target`, or stores them if that is shorter. Returns the number of bytes
 * written.
 */
export function deflateData(
  target: Uint8Array,
  data: Uint8Array,
  { level, engine }: { readonly level: number; readonly engine: DeflateEngine },
): number {
  const compressed = level === 0 ? undefined : engine.deflateRaw(data, level);
  if (compressed !== undefined && compressed.length < data.length + STORED_OVERHEAD) {
    target.set(compressed);
    return compressed.length;
  }
  const view = new DataView(target.buffer, target.byteOffset, STORED_OVERHEAD);
  view.setUint8(0, 1);
  view.setUint16(1, data.length, true);
  view.setUint16(3, ~data.length & 0xffff, true);
  target.set(data, STORED_OVERHEAD);
  return data.length + STORED_OVERHEAD;
}
