import type { ByteRange } from '@htskit/io';
import { firstIndex } from '@htskit/io/internal';
import { FormatError, invalidData } from '../format-error.js';
import type { BaseInterval } from '../records/record-filter.js';
import type { TwoBitHeader } from './header.js';
import { createQuads, type UnpackedInterval, unpackQuads } from './quads.js';

/** The record of one sequence of a 2bit file, without its bases. */
export interface TwoBitRecord {
  /** Bases. */
  readonly length: number;
  /** The starts and ends of the runs of N: half-open, ascending, disjoint. */
  readonly unknownStarts: Uint32Array;
  readonly unknownEnds: Uint32Array;
  /** Bytes from the start of the file to the packed bases, four to a byte. */
  readonly packedOffset: number;
}

/** The header of a 2bit file, and the place of a record in it. */
export interface TwoBitRecordOptions {
  readonly header: TwoBitHeader;
  /** Bytes from the start of the file to the record. */
  readonly offset: number;
  /** Bytes of the file. */
  readonly fileSize: number;
}

/** Bytes of a record that `twoBitRecordLength` reads. */
export const TWO_BIT_RECORD_START_LENGTH = 8;

/** Bytes of a number, and of a block: its start and its length. */
const [NUMBER_BYTES, BLOCK_BYTES] = [4, 8];

/** A reserved number follows the mask blocks, which are the runs of lower-case bases. */
const RESERVED_BYTES = 4;

/**
 * Returns the number of bytes that `parseTwoBitRecord` needs: the record up to the count of its mask blocks. `bytes` are at
 * least its first eight bytes. Throws `FormatError` `TRUNCATED` for fewer, or if the record extends past the end of the file.
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
 * Parses the record that `bytes`, at least `twoBitRecordLength` bytes, starts with. Mask blocks are ignored. Throws
 * `FormatError` `TRUNCATED` for fewer bytes and if the packed bases extend past the end of the file, `INVALID_DATA` for runs of
 * N that are empty, overlap, are out of order or extend past the end of the sequence.
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
      throw invalidData('run of N is empty, out of order, or past the end of its sequence', offset + at);
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
  return new FormatError('TRUNCATED', 'data ends within a 2bit sequence', { offset });
}

const [N, BASES_PER_BYTE] = [0x4e, 4];

// T is 0, C 1, A 2, G 3.
const QUADS = createQuads('TCAG');

/** Returns the bytes of the file that hold the packed bases of an interval. */
export function twoBitByteRange({ packedOffset }: TwoBitRecord, { start, end }: BaseInterval): ByteRange {
  const byteEnd = start === end ? Math.floor(start / BASES_PER_BYTE) : Math.ceil(end / BASES_PER_BYTE);
  return { start: packedOffset + Math.floor(start / BASES_PER_BYTE), end: packedOffset + byteEnd };
}

/**
 * Returns the bases of an interval as upper-case ASCII letters. `packed` are the bytes of `twoBitByteRange`. Throws RangeError
 * if `packed` has another length.
 */
export function unpackTwoBit(packed: Uint8Array, record: TwoBitRecord, interval: UnpackedInterval): Uint8Array {
  const { start, end } = interval;
  const range = twoBitByteRange(record, { start, end });
  if (packed.length !== range.end - range.start) {
    throw new RangeError(`expected ${range.end - range.start} packed bytes, found ${packed.length}`);
  }
  const bases = unpackQuads(packed, QUADS, interval);
  const { unknownStarts, unknownEnds } = record;
  for (let block = firstEndingAfter(unknownEnds, start); (unknownStarts[block] ?? end) < end; block++) {
    bases.fill(N, Math.max((unknownStarts[block] ?? end) - start, 0), (unknownEnds[block] ?? end) - start);
  }
  return bases;
}

/** Returns the index of the first run that ends after `base`. */
function firstEndingAfter(ends: Uint32Array, base: number): number {
  return firstIndex(ends.length, (run) => (ends[run] ?? 0) > base);
}
