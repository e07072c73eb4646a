import { FormatError } from '@htskit/formats';
import { IndexError } from '@htskit/indexes';
import type { ReadOptions } from '@htskit/io';

/** The faults that a comparison of a file with its end and its index shows. */
export interface FileCheck {
  /** The proof that the end of the file is missing. */
  readonly truncation?: FormatError;
  /** The proof that the index is that of another file, or of another version of the file. */
  readonly mismatch?: IndexError;
  /** The doubt about a file that lacks its end marker, if nothing proves that its end is missing. */
  readonly doubt?: FormatError;
}

export interface FileCheckOptions extends ReadOptions {
  /** The maximum number of compressed bytes that are read to count the reads after the last one that the index places. */
  readonly countedBytes: number;
}

const REMEDY = 'copy or write it again';

/** Creates the error of a file whose end is missing. */
export function toTruncation(reason: string, offset: number): FormatError {
  return new FormatError('TRUNCATED', `the file is truncated: ${reason}; ${REMEDY}`, { offset });
}

/** Creates the error of a file whose end may be missing. */
export function toDoubt(marker: string, offset: number): FormatError {
  return new FormatError('TRUNCATED', `the file lacks its ${marker} and may be truncated; ${REMEDY}`, { offset });
}

/** Creates the error of an index that contradicts its file. */
export function toMismatch(reason: string): IndexError {
  return new IndexError('INVALID_DATA', `the index is not of this file: ${reason}; index the file again`, {
    offset: 0,
  });
}

/** Describes an offset in an index that lies past the end of a file. */
export function describeOffset(offset: number, size: number): string {
  return `its index refers to offset ${offset}, past the end of the file (${size} bytes)`;
}
