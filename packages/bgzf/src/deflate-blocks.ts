import { defaultEngine } from '#default-engine';
import { FOOTER_LENGTH } from './block-header.js';
import type { CodecEngine, EngineOptions } from './codec-engine.js';

/** Most uncompressed bytes in a block that is written here, as htslib: stored as they are, they still fit a block. */
export const MAX_INPUT = 0xff00;
export const DEFAULT_LEVEL = 6;

/** gzip header with a BC subfield (SAMv1 §4.1): no MTIME, no XFL, OS unknown, XLEN 6; BSIZE is filled in. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, 0x42, 0x43, 2, 0, 0, 0);
const BSIZE_AT = 16;

/** A DEFLATE block of type "stored" (RFC 1951 §3.2.4) is this much longer than its data, of at most 65535 bytes. */
const STORED_OVERHEAD = 5;
/** A block is at most this much longer than its data. */
const BLOCK_OVERHEAD = HEADER.length + STORED_OVERHEAD + FOOTER_LENGTH;

export interface DeflateOptions extends EngineOptions {
  /** 0 (stored) to 9 (smallest). Default 6. */
  readonly level?: number | undefined;
}

/**
 * Consecutive blocks that hold `data`, each but the last with 65280 bytes of it; no data gives no block. There is no EOF
 * marker. The same input, level and engine always give the same bytes. Throws RangeError for a level that is none.
 */
export function deflateBlocks(data: Uint8Array, options: DeflateOptions = {}): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(data.length + Math.ceil(data.length / MAX_INPUT) * BLOCK_OVERHEAD);
  return bytes.slice(0, deflateBlocksInto(bytes, data, options));
}

/** As `deflateBlocks`, at the front of `target`; returns how many bytes it wrote. */
export function deflateBlocksInto(
  target: Uint8Array,
  data: Uint8Array,
  { level = DEFAULT_LEVEL, engine = defaultEngine() }: DeflateOptions,
): number {
  checkLevel(level);
  let byteLength = 0;
  for (let at = 0; at < data.length; at += MAX_INPUT) {
    const block = target.subarray(byteLength);
    byteLength += deflateBlock(block, data.subarray(at, at + MAX_INPUT), { level, engine });
  }
  return byteLength;
}

/** Throws RangeError for a level that is no whole number from 0 to 9. */
export function checkLevel(level: number): void {
  if (!Number.isInteger(level) || level < 0 || level > 9) throw new RangeError(`level ${level} is not within 0 to 9`);
}

function deflateBlock(
  target: Uint8Array,
  data: Uint8Array,
  { level, engine }: { readonly level: number; readonly engine: CodecEngine },
): number {
  target.set(HEADER);
  const footerStart = HEADER.length + deflateData(target.subarray(HEADER.length), data, { level, engine });
  const byteLength = footerStart + FOOTER_LENGTH;
  const view = new DataView(target.buffer, target.byteOffset, byteLength);
  view.setUint16(BSIZE_AT, byteLength - 1, true);
  view.setUint32(footerStart, engine.crc32(data), true);
  view.setUint32(footerStart + 4, data.length, true);
  return byteLength;
}

function deflateData(
  target: Uint8Array,
  data: Uint8Array,
  { level, engine }: { readonly level: number; readonly engine: CodecEngine },
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
