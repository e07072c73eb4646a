import { BgzfError } from './bgzf-error.js';
import { type BlockHeader, FOOTER_LENGTH, MAX_BLOCK_SIZE } from './block-header.js';

/** DEFLATE spends at least 2 bits on 258 bytes, so it expands by no more than this factor. */
const MAX_EXPANSION = 1032;

/** The end of a block (SAMv1 §4.1). */
export interface BlockFooter {
  readonly crc32: number;
  /** Bytes of uncompressed data that the block claims to hold, at most 65536. */
  readonly isize: number;
}

/**
 * Parses the footer of a block of which all bytes are there.
 * Throws LIMIT_EXCEEDED if ISIZE is over 65536, SIZE_MISMATCH if so few compressed bytes cannot yield ISIZE.
 */
export function parseBlockFooter(
  block: Uint8Array,
  { blockSize, dataStart }: BlockHeader,
  coffset: number,
): BlockFooter {
  const footerStart = blockSize - FOOTER_LENGTH;
  const view = new DataView(block.buffer, block.byteOffset + footerStart, FOOTER_LENGTH);
  const crc32 = view.getUint32(0, true);
  const isize = view.getUint32(4, true);
  if (isize > MAX_BLOCK_SIZE) {
    throw new BgzfError('LIMIT_EXCEEDED', `ISIZE is ${isize}, over ${MAX_BLOCK_SIZE}`, { offset: coffset });
  }
  if (isize > (footerStart - dataStart) * MAX_EXPANSION) {
    const found = `${footerStart - dataStart} bytes of DEFLATE data`;
    throw new BgzfError('SIZE_MISMATCH', `${found} cannot yield ISIZE ${isize}`, { offset: coffset });
  }
  return { crc32, isize };
}
