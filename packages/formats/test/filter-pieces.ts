import { FormatError, type RecordFilter } from '../src/index.js';
import { join } from './bam/build-bam.js';

/** The bytes that a filter keeps of data that comes in pieces of these lengths, taken in turns. */
export function filterPieces(
  filter: RecordFilter,
  data: Uint8Array,
  pieceLengths: readonly number[] = [1 << 16],
): Uint8Array {
  const kept: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < data.length; turn++) {
    const end = at + (pieceLengths[turn % pieceLengths.length] ?? 1);
    kept.push(...filter.push(data.subarray(at, end)));
    at = end;
  }
  return join([...kept, ...filter.finish()]);
}

/** What comes of it, to compare: the bytes kept, or code and offset of the error. */
export function filterOutcome(filter: RecordFilter, data: Uint8Array, pieceLengths?: readonly number[]): string {
  try {
    return Buffer.from(filterPieces(filter, data, pieceLengths)).toString('hex');
  } catch (error) {
    if (error instanceof FormatError) return `${error.code} ${error.offset}`;
    throw error;
  }
}
