import { engine } from '#engine';
import { FOOTER_LENGTH } from './block-header.js';
import { concatBytes } from './concat-bytes.js';

/** Most uncompressed bytes in a block that is written here, as htslib: stored as they are, they still fit a block. */
const MAX_INPUT = 0xff00;
const DEFAULT_LEVEL = 6;

/** gzip header with a BC subfield (SAMv1 §4.1): no MTIME, no XFL, OS unknown, XLEN 6; BSIZE is filled in. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, 0x42, 0x43, 2, 0, 0, 0);
const BSIZE_AT = 16;

/**
 * Consecutive blocks that hold `data`, each but the last with 65280 bytes of it; no data gives no block. There is no EOF
 * marker. `level` is 0 (stored) to 9, by default 6. The same input and engine always give the same bytes.
 * Throws RangeError on any other level.
 */
export function deflateBlocks(data: Uint8Array, options: { readonly level?: number } = {}): Uint8Array {
  const { level = DEFAULT_LEVEL } = options;
  if (!Number.isInteger(level) || level < 0 || level > 9) throw new RangeError(`level ${level} is not within 0 to 9`);
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < data.length; at += MAX_INPUT) {
    blocks.push(deflateBlock(data.subarray(at, at + MAX_INPUT), level));
  }
  return concatBytes(blocks);
}

function deflateBlock(data: Uint8Array, level: number): Uint8Array {
  const compressed = deflateData(data, level);
  const footerStart = HEADER.length + compressed.length;
  const block = new Uint8Array(footerStart + FOOTER_LENGTH);
  block.set(HEADER);
  block.set(compressed, HEADER.length);
  const view = new DataView(block.buffer);
  view.setUint16(BSIZE_AT, block.length - 1, true);
  view.setUint32(footerStart, engine.crc32(data), true);
  view.setUint32(footerStart + 4, data.length, true);
  return block;
}

function deflateData(data: Uint8Array, level: number): Uint8Array {
  const stored = storeData(data);
  if (level === 0) return stored;
  const compressed = engine.deflateRaw(data, level);
  return compressed.length < stored.length ? compressed : stored;
}

/** One final DEFLATE block of type "stored" (RFC 1951 §3.2.4): 5 bytes more than the data, of at most 65535 bytes. */
function storeData(data: Uint8Array): Uint8Array {
  const stored = new Uint8Array(5 + data.length);
  const view = new DataView(stored.buffer);
  view.setUint8(0, 1);
  view.setUint16(1, data.length, true);
  view.setUint16(3, ~data.length & 0xffff, true);
  stored.set(data, 5);
  return stored;
}
