import { FormatError } from '../format-error.js';
import type { TwoBitHeader } from './header.js';

/** One sequence of a 2bit file, without its bases. */
export interface TwoBitRecord {
  /** Bases. */
  readonly length: number;
  /** Where runs of N begin and end: half-open, ascending, and apart from each other. */
  readonly unknownStarts: Uint32Array;
  readonly unknownEnds: Uint32Array;
  /** Bytes from the start of the file to the packed bases, four in a byte. */
  readonly packedOffset: number;
}

export interface TwoBitRecordOptions {
  readonly header: TwoBitHeader;
  /** Bytes from the start of the file to the record. */
  readonly offset: number;
  /** Bytes of the file. */
  readonly fileSize: number;
}

/** Bytes of a record from which `twoBitRecordLength` tells how many `parseTwoBitRecord` needs. */
export const TWO_BIT_RECORD_START_LENGTH = 8;

/** Bytes of a number, and of a block: its start and its length. */
const [NUMBER_BYTES, BLOCK_BYTES] = [4, 8];

/** What stands behind the mask blocks, which say where bases were lower-case: a reserved number. */
const RESERVED_BYTES = 4;

/**
 * Bytes of the record up to the number of its mask blocks, from its first eight bytes. Throws `FormatError` TRUNCATED
 * where those, or that many, do not lie in the file.
 */
export function twoBitRecordLength(bytes: Uint8Array, { header, offset, fileSize }: TwoBitRecordOptions): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < TWO_BIT_RECORD_START_LENGTH) throw truncated(offset + bytes.length);
  const blockCount = view.getUint32(NUMBER_BYTES, header.isLittleEndian);
  const length = TWO_BIT_RECORD_START_LENGTH + blockCount * BLOCK_BYTES + NUMBER_BYTES;
  if (offset + length > fileSize) throw truncated(fileSize);
  return length;
}

/**
 * Parses the record that `bytes` begins with, as far as `twoBitRecordLength` says. Mask blocks are passed over. Throws
 * `FormatError` TRUNCATED for fewer bytes and where the packed bases do not lie in the file, INVALID_DATA for runs of N
 * that leave the sequence, overlap, are out of order or of no bases.
 */
export function parseTwoBitRecord(bytes: Uint8Array, options: TwoBitRecordOptions): TwoBitRecord {
  const { header, offset, fileSize } = options;
  const recordLength = twoBitRecordLength(bytes, options);
  if (bytes.length < recordLength) throw truncated(offset + bytes.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const readNumber = (at: number): number => view.getUint32(at, header.isLittleEndian);
  const length = readNumber(0);
  const blockCount = readNumber(NUMBER_BYTES);
  const unknownStarts = new Uint32Array(blockCount);
  const unknownEnds = new Uint32Array(blockCount);
  let previousEnd = 0;
  for (let block = 0; block < blockCount; block++) {
    const at = TWO_BIT_RECORD_START_LENGTH + block * NUMBER_BYTES;
    const start = readNumber(at);
    const end = start + readNumber(at + blockCount * NUMBER_BYTES);
    if (start < previousEnd || end === start || end > length) {
      throw new FormatError('INVALID_DATA', 'runs of N are empty, overlap, or leave their sequence', {
        offset: offset + at,
      });
    }
    unknownStarts[block] = start;
    unknownEnds[block] = end;
    previousEnd = end;
  }
  const maskCount = readNumber(recordLength - NUMBER_BYTES);
  const packedOffset = offset + recordLength + maskCount * BLOCK_BYTES + RESERVED_BYTES;
  if (packedOffset + Math.ceil(length / 4) > fileSize) throw truncated(fileSize);
  return { length, unknownStarts, unknownEnds, packedOffset };
}

function truncated(offset: number): FormatError {
  return new FormatError('TRUNCATED', 'the data ends inside a sequence', { offset });
}
