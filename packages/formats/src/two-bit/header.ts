import { FormatError } from '../format-error.js';

/** The header of a 2bit file (UCSC, "2bit format"). */
export interface TwoBitHeader {
  /** The byte order of all numbers in the file. */
  readonly isLittleEndian: boolean;
  /** Offsets of sequences have 32 bits in version 0 and 64 bits in version 1. */
  readonly version: 0 | 1;
  readonly sequenceCount: number;
}

/** Bytes of the header. The index of the sequences follows. */
export const TWO_BIT_HEADER_LENGTH = 16;

const SIGNATURE = 0x1a412743;

/**
 * Parses the header that `bytes` starts with, in either byte order. Throws `FormatError` `TRUNCATED` for fewer than 16 bytes,
 * `INVALID_MAGIC` for another format, `UNSUPPORTED` for a version other than 0 and 1.
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseTwoBitHeader, parseTwoBitIndex, TWO_BIT_HEADER_LENGTH } from '@htskit/formats';
 *
 * const bytes = readFileSync('genome.2bit');
 * const header = parseTwoBitHeader(bytes);
 * console.log(parseTwoBitIndex(bytes.subarray(TWO_BIT_HEADER_LENGTH), header));
 * ```
 */
export function parseTwoBitHeader(bytes: Uint8Array): TwoBitHeader {
  if (bytes.length < TWO_BIT_HEADER_LENGTH) {
    throw new FormatError('TRUNCATED', 'data ends within the 2bit header', { offset: bytes.length });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const isLittleEndian = view.getUint32(0, true) === SIGNATURE;
  if (!isLittleEndian && view.getUint32(0) !== SIGNATURE) {
    throw new FormatError('INVALID_MAGIC', 'not 2bit data: expected the signature 0x1A412743', { offset: 0 });
  }
  const version = view.getUint32(4, isLittleEndian);
  if (version !== 0 && version !== 1) {
    throw new FormatError('UNSUPPORTED', `2bit version ${version} is not supported`, { offset: 4 });
  }
  return { isLittleEndian, version, sequenceCount: view.getUint32(8, isLittleEndian) };
}
