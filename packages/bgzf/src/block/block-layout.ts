import { BgzfError } from '../bgzf-error.js';

/** Largest size of a block in bytes, compressed as well as uncompressed (SAMv1 §4.1: BSIZE is a u16, ISIZE ≤ 2^16). */
export const MAX_BLOCK_SIZE = 65536;

/** Bytes of the footer of a block: CRC32 and ISIZE. */
export const FOOTER_LENGTH = 8;

/** Bytes of a block header up to and including XLEN. */
const FIXED_LENGTH = 12;
/** ID1, ID2, CM = deflate, FLG = FEXTRA. */
const MAGIC = [0x1f, 0x8b, 0x08, 0x04];
/** SI1 and SI2, 'B' and 'C', of the extra subfield that holds BSIZE, and its SLEN. */
const [SI1, SI2, BSIZE_LENGTH] = [0x42, 0x43, 2];
/** DEFLATE spends at least 2 bits on 258 bytes, so it expands by no more than this factor. */
const MAX_EXPANSION = 1032;

/** The layout of a block according to its header. */
export interface BlockHeader {
  /** Bytes of the whole block, including header and footer. */
  readonly blockSize: number;
  /** Bytes from the start of the block to its DEFLATE data. */
  readonly dataStart: number;
}

/** The end of a block (SAMv1 §4.1). */
export interface BlockFooter {
  readonly crc32: number;
  /** Bytes of uncompressed data that the block claims to hold, at most 65536. */
  readonly isize: number;
}

/** A block within other bytes. */
export interface BlockPosition {
  /** Index of the block in the bytes. */
  readonly offset: number;
  /** Bytes from the start of the file to the block, for error messages. */
  readonly coffset: number;
}

/**
 * Parses the block header at `offset` (SAMv1 §4.1), including any legal extra subfields. The rest of the block may be
 * missing. `coffset`, by default equal to `offset`, is reported by errors. Throws TRUNCATED if the bytes end within the
 * header and INVALID_HEADER if there is no block header.
 */
export function parseBlockHeader(
  bytes: Uint8Array,
  options: { readonly offset?: number; readonly coffset?: number } = {},
): BlockHeader {
  const { offset = 0, coffset = offset } = options;
  const header = findBlockHeader(bytes, { offset, coffset });
  if (header === undefined) {
    const found = Math.max(0, bytes.length - offset);
    throw new BgzfError('TRUNCATED', `expected a block header, found ${found} bytes of one`, { offset: coffset });
  }
  return header;
}

/**
 * Parses like `parseBlockHeader`, but returns undefined if the bytes end within the header. 64 KiB are always enough.
 */
export function findBlockHeader(bytes: Uint8Array, { offset, coffset }: BlockPosition): BlockHeader | undefined {
  const length = bytes.length - offset;
  for (const [index, expected] of MAGIC.entries()) {
    if (index < length && bytes[offset + index] !== expected) throw notABlock(bytes.subarray(offset), coffset);
  }
  if (length < FIXED_LENGTH) return undefined;

  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, length);
  const dataStart = FIXED_LENGTH + view.getUint16(10, true);
  if (dataStart + FOOTER_LENGTH > MAX_BLOCK_SIZE) throw invalidHeader('XLEN exceeds the largest block', coffset);
  if (length < dataStart) return undefined;

  const blockSize = findBsize(view, dataStart, coffset) + 1;
  if (blockSize < dataStart + FOOTER_LENGTH) throw invalidHeader(`BSIZE ${blockSize - 1} is too small`, coffset);
  return { blockSize, dataStart };
}

/** Walks the extra subfields (RFC 1952 §2.3.1.1), which must fill XLEN exactly and include one BC subfield. */
function findBsize(view: DataView, extraEnd: number, coffset: number): number {
  let bsize: number | undefined;
  let offset = FIXED_LENGTH;
  while (offset < extraEnd) {
    const payload = offset + 4;
    const end = payload <= extraEnd ? payload + view.getUint16(offset + 2, true) : payload;
    if (end > extraEnd) throw invalidHeader('an extra subfield exceeds XLEN', coffset);
    if (view.getUint8(offset) === SI1 && view.getUint8(offset + 1) === SI2) {
      if (end - payload !== BSIZE_LENGTH) throw invalidHeader('the BC subfield is not 2 bytes long', coffset);
      if (bsize !== undefined) throw invalidHeader('there are two BC subfields', coffset);
      bsize = view.getUint16(payload, true);
    }
    offset = end;
  }
  if (bsize === undefined) throw invalidHeader('there is no BC subfield', coffset);
  return bsize;
}

/** The number of bytes that tell gzip from other data. */
const GZIP_MAGIC_LENGTH = 2;

function notABlock(bytes: Uint8Array, coffset: number): BgzfError {
  const isGzip = MAGIC.slice(0, GZIP_MAGIC_LENGTH).every((byte, index) => byte === bytes[index]);
  if (isGzip) return invalidHeader('it is gzip without BGZF blocks; recompress it with bgzip', coffset);
  return invalidHeader(describeNoGzip(bytes, coffset), coffset);
}

/** Describes data that is not gzip. A whole file may have been decompressed on its way. */
export function describeNoGzip(bytes: Uint8Array, coffset: number): string {
  const start = Array.from(bytes.subarray(0, MAGIC.length), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  const found = `not gzip data (starts with ${start})`;
  return coffset === 0 ? `${found}; was it sent with Content-Encoding: gzip, and decompressed on arrival?` : found;
}

function invalidHeader(found: string, coffset: number): BgzfError {
  return new BgzfError('INVALID_HEADER', `expected a BGZF block header: ${found}`, { offset: coffset });
}

/**
 * Parses the footer of a complete block. Throws LIMIT_EXCEEDED if ISIZE is over 65536, and SIZE_MISMATCH if the DEFLATE
 * data is too short to yield ISIZE bytes.
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

/** Returns a view of the whole block at `offset`. Throws INVALID_HEADER, and TRUNCATED if the bytes end within it. */
export function sliceBlock(
  bytes: Uint8Array,
  { offset, coffset }: BlockPosition,
): { readonly header: BlockHeader; readonly block: Uint8Array } {
  const header = parseBlockHeader(bytes, { offset, coffset });
  const block = bytes.subarray(offset, offset + header.blockSize);
  if (block.length < header.blockSize) {
    const message = `expected a block of ${header.blockSize} bytes, found ${block.length}`;
    throw new BgzfError('TRUNCATED', message, { offset: coffset });
  }
  return { header, block };
}
