import { engine } from '#engine';
import { BgzfError } from './bgzf-error.js';
import { parseBlockFooter } from './block-footer.js';
import { FOOTER_LENGTH, parseBlockHeader } from './block-header.js';
import { concatBytes } from './concat-bytes.js';

/** Default of the most bytes that `inflateBlocks` returns: 1 GiB. */
const DEFAULT_MAX_BYTES = 2 ** 30;

/**
 * The uncompressed data of the block at the start of `block`, in memory of its own. Bytes behind the block are ignored.
 * CRC32 and ISIZE are always verified; `coffset` is the block's offset in the file, for errors.
 * Throws TRUNCATED, INVALID_HEADER, INVALID_DATA, SIZE_MISMATCH, CRC_MISMATCH, or LIMIT_EXCEEDED if ISIZE is over 65536.
 */
export function inflateBlock(block: Uint8Array, options: { readonly coffset?: number } = {}): Uint8Array {
  const { coffset = 0 } = options;
  const header = parseBlockHeader(block, { coffset });
  if (block.length < header.blockSize) {
    const found = `found ${block.length}`;
    throw new BgzfError('TRUNCATED', `expected a block of ${header.blockSize} bytes, ${found}`, { offset: coffset });
  }
  const { crc32, isize } = parseBlockFooter(block, header, coffset);
  const data = block.subarray(header.dataStart, header.blockSize - FOOTER_LENGTH);
  const { bytes, consumed } = engine.inflateRaw(data, { size: isize, coffset });
  if (consumed !== data.length) {
    const found = `${data.length - consumed} bytes`;
    throw new BgzfError('INVALID_DATA', `${found} lie between the DEFLATE data and the footer`, { offset: coffset });
  }
  if (bytes.length !== isize) {
    throw new BgzfError('SIZE_MISMATCH', `expected ISIZE ${isize} bytes, found ${bytes.length}`, { offset: coffset });
  }
  const found = engine.crc32(bytes);
  if (found !== crc32) {
    throw new BgzfError('CRC_MISMATCH', `expected CRC32 ${toHex(crc32)}, found ${toHex(found)}`, { offset: coffset });
  }
  return bytes;
}

/**
 * The uncompressed data of consecutive whole blocks, concatenated; no bytes give no bytes.
 * `coffset` is the offset of the first block in the file. Throws as `inflateBlock`, and LIMIT_EXCEEDED if the data is
 * longer than `maxBytes`, by default 1 GiB.
 */
export function inflateBlocks(
  bytes: Uint8Array,
  options: { readonly coffset?: number; readonly maxBytes?: number } = {},
): Uint8Array {
  const { coffset = 0, maxBytes = DEFAULT_MAX_BYTES } = options;
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const block = bytes.subarray(at);
    const data = inflateBlock(block, { coffset: coffset + at });
    length += data.length;
    if (length > maxBytes) {
      const message = `the uncompressed data is longer than ${maxBytes} bytes`;
      throw new BgzfError('LIMIT_EXCEEDED', message, { offset: coffset + at });
    }
    parts.push(data);
    at += parseBlockHeader(block).blockSize;
  }
  return concatBytes(parts);
}

function toHex(crc32: number): string {
  return crc32.toString(16).padStart(8, '0');
}
