import { FormatError } from '../src/index.js';
import { join } from './bam/build-bam.js';

/** A filter or a rewriter of records. */
export interface RecordStream {
  push(piece: Uint8Array): Uint8Array[];
  finish(): Uint8Array[];
}

/** What a stream gives for data that comes in pieces of these lengths, taken in turns. */
export function passPieces(
  records: RecordStream,
  data: Uint8Array,
  pieceLengths: readonly number[] = [1 << 16],
): Uint8Array {
  const given: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < data.length; turn++) {
    const end = at + (pieceLengths[turn % pieceLengths.length] ?? 1);
    // A rewriter uses its memory again
    given.push(...records.push(data.subarray(at, end)).map((run) => run.slice()));
    at = end;
  }
  return join([...given, ...records.finish()]);
}

/** What comes of it, to compare: the bytes, or code and offset of the error. */
export function piecesOutcome(records: RecordStream, data: Uint8Array, pieceLengths?: readonly number[]): string {
  try {
    return Buffer.from(passPieces(records, data, pieceLengths)).toString('hex');
  } catch (error) {
    if (error instanceof FormatError) return `${error.code} ${error.offset}`;
    throw error;
  }
}
