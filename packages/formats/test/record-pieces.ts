import { type BorrowedBytes, peek, toOwned } from '@htskit/io';
import { FormatError } from '../src/index.js';
import { join } from './bam/build-bam.js';

/** A filter or a rewriter of records. */
export interface RecordStream {
  push(piece: BorrowedBytes): BorrowedBytes[];
  finish(): BorrowedBytes[];
}

/** Passes data through a stream in pieces of the given lengths, which repeat, and returns the output. */
export function passPieces(
  records: RecordStream,
  data: Uint8Array,
  pieceLengths: readonly number[] = [1 << 16],
): Uint8Array {
  const output: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < data.length; turn++) {
    const end = at + (pieceLengths[turn % pieceLengths.length] ?? 1);
    output.push(...records.push(data.subarray(at, end)).map(toOwned));
    at = end;
  }
  return join([...output, ...records.finish().map(peek)]);
}

/** Returns the output in hexadecimal, or the code and offset of the FormatError. Other errors are rethrown. */
export function piecesOutcome(records: RecordStream, data: Uint8Array, pieceLengths?: readonly number[]): string {
  try {
    return Buffer.from(passPieces(records, data, pieceLengths)).toString('hex');
  } catch (error) {
    if (error instanceof FormatError) return `${error.code} ${error.offset}`;
    throw error;
  }
}
