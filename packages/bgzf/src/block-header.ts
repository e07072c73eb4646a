import { BgzfError } from './bgzf-error.js';

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

/** What the header of a block says about its layout. */
export interface BlockHeader {
  /** Bytes of the whole block, header and footer included. */
  readonly blockSize: number;
  /** Bytes from the start of the block to its DEFLATE data. */
  readonly dataStart: number;
}

/**
 * Parses the block header at `at` (SAMv1 §4.1), with any legal extra subfields. The rest of the block need not be there.
 * `coffset` is the block's offset in the file, for errors; it defaults to `at`.
 * Throws TRUNCATED if the bytes end inside the header, INVALID_HEADER if it is none.
 */
export function parseBlockHeader(
  bytes: Uint8Array,
  options: { readonly at?: number | undefined; readonly coffset?: number | undefined } = {},
): BlockHeader {
  const { at = 0, coffset = at } = options;
  const header = findBlockHeader(bytes, { at, coffset });
  if (header === undefined) {
    const found = Math.max(0, bytes.length - at);
    throw new BgzfError('TRUNCATED', `expected a block header, found ${found} bytes of one`, { offset: coffset });
  }
  return header;
}

/** As `parseBlockHeader`, but undefined where the bytes end inside the header. 64 KiB of bytes always decide. */
export function findBlockHeader(
  bytes: Uint8Array,
  { at, coffset }: { readonly at: number; readonly coffset: number },
): BlockHeader | undefined {
  const length = bytes.length - at;
  for (const [index, expected] of MAGIC.entries()) {
    if (index < length && bytes[at + index] !== expected) throw invalidHeader('no BGZF magic 1f 8b 08 04', coffset);
  }
  if (length < FIXED_LENGTH) return undefined;

  const view = new DataView(bytes.buffer, bytes.byteOffset + at, length);
  const dataStart = FIXED_LENGTH + view.getUint16(10, true);
  if (dataStart + FOOTER_LENGTH > MAX_BLOCK_SIZE) throw invalidHeader('XLEN exceeds the largest block', coffset);
  if (length < dataStart) return undefined;

  const blockSize = findBsize(view, dataStart, coffset) + 1;
  if (blockSize < dataStart + FOOTER_LENGTH) throw invalidHeader(`BSIZE ${blockSize - 1} is too small`, coffset);
  return { blockSize, dataStart };
}

/** Walks the extra subfields (RFC 1952 §2.3.1.1), which must fill XLEN exactly and hold one BC subfield. */
function findBsize(view: DataView, extraEnd: number, coffset: number): number {
  let bsize: number | undefined;
  let at = FIXED_LENGTH;
  while (at < extraEnd) {
    const payload = at + 4;
    const end = payload <= extraEnd ? payload + view.getUint16(at + 2, true) : payload;
    if (end > extraEnd) throw invalidHeader('an extra subfield exceeds XLEN', coffset);
    if (view.getUint8(at) === SI1 && view.getUint8(at + 1) === SI2) {
      if (end - payload !== BSIZE_LENGTH) throw invalidHeader('the BC subfield is not 2 bytes long', coffset);
      if (bsize !== undefined) throw invalidHeader('there are two BC subfields', coffset);
      bsize = view.getUint16(payload, true);
    }
    at = end;
  }
  if (bsize === undefined) throw invalidHeader('there is no BC subfield', coffset);
  return bsize;
}

function invalidHeader(found: string, coffset: number): BgzfError {
  return new BgzfError('INVALID_HEADER', `expected a BGZF block header, but ${found}`, { offset: coffset });
}
