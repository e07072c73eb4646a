import { FormatError } from '../format-error.js';

/** What a 2bit file begins with (UCSC, "2bit format"). */
export interface TwoBitHeader {
  /** The byte order of all numbers of the file. */
  readonly isLittleEndian: boolean;
  /** Offsets of sequences have 32 bits in version 0, and 64 bits in version 1. */
  readonly version: 0 | 1;
  readonly sequenceCount: number;
}

/** Bytes of the header; the index of the sequences follows. */
export const TWO_BIT_HEADER_LENGTH = 16;

const SIGNATURE = 0x1a412743;

/**
 * Parses the header that `bytes` begins with, in either byte order. Throws `FormatError` TRUNCATED for fewer than 16
 * bytes, INVALID_MAGIC if it is not that of 2bit, UNSUPPORTED for another version.
 */
export function parseTwoBitHeader(bytes: Uint8Array): TwoBitHeader {
  if (bytes.length < TWO_BIT_HEADER_LENGTH) {
    throw new FormatError('TRUNCATED', 'the data ends inside the header', { offset: bytes.length });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const isLittleEndian = view.getUint32(0, true) === SIGNATURE;
  if (!isLittleEndian && view.getUint32(0) !== SIGNATURE) {
    throw new FormatError('INVALID_MAGIC', 'a 2bit file begins with 0x1A412743', { offset: 0 });
  }
  const version = view.getUint32(4, isLittleEndian);
  if (version !== 0 && version !== 1) {
    throw new FormatError('UNSUPPORTED', `version ${version} of 2bit is not read`, { offset: 4 });
  }
  return { isLittleEndian, version, sequenceCount: view.getUint32(8, isLittleEndian) };
}
