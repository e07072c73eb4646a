import {
  parseTwoBitHeader,
  parseTwoBitIndex,
  parseTwoBitRecord,
  TWO_BIT_HEADER_LENGTH,
  type TwoBitRecord,
  twoBitByteRange,
  twoBitRecordLength,
  unpackTwoBit,
} from '../../src/internal.js';

/** A file with one sequence: "s" is "acGT", one byte of bases, without runs of N. */
export const SMALL = Uint8Array.from(
  [
    '43 27 41 1a  00 00 00 00  01 00 00 00  00 00 00 00', // signature, version, sequences, reserved
    '01 73  16 00 00 00', // the name and its length, offset 22
    '04 00 00 00', // bases
    '00 00 00 00', // runs of N
    '01 00 00 00  00 00 00 00  02 00 00 00', // one run of lower case, its start, its length
    '00 00 00 00', // reserved
    '9c', // A 10, C 01, G 11, T 00
  ]
    .join(' ')
    .trim()
    .split(/\s+/),
  (byte) => Number.parseInt(byte, 16),
);

export interface ParsedSequence {
  readonly name: string;
  readonly record: TwoBitRecord;
}

/** Parses all sequences of a file. */
export function parseTwoBit(bytes: Uint8Array): ParsedSequence[] {
  const header = parseTwoBitHeader(bytes);
  return parseTwoBitIndex(bytes.subarray(TWO_BIT_HEADER_LENGTH), header).map(({ name, offset }) => {
    const options = { header, offset, fileSize: bytes.length };
    const length = twoBitRecordLength(bytes.subarray(offset), options);
    return { name, record: parseTwoBitRecord(bytes.subarray(offset, offset + length), options) };
  });
}

export function readBases(bytes: Uint8Array, record: TwoBitRecord, start = 0, end = record.length): string {
  const range = twoBitByteRange(record, { start, end });
  return new TextDecoder().decode(unpackTwoBit(bytes.subarray(range.start, range.end), record, { start, end }));
}
