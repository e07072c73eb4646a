import { FormatError } from '@htskit/formats';
import { IndexError } from '@htskit/indexes';
import type { ReadOptions } from '@htskit/io';
import { type HtsgetQuery, UNPLACED } from '@htskit/protocol';
import type { TruncatedPolicy } from '../options.js';

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

/** The circumstances in which a file with faults may be read. */
interface FileUse {
  /** Undefined for all records. */
  readonly regions: HtsgetQuery['regions'];
  /** Whether the file has a stored index. One that was built from a truncated file does not show what is missing. */
  readonly isIndexed: boolean;
  /** Default `warn`. */
  readonly truncated?: TruncatedPolicy;
  readonly onWarning?: (warning: Error) => void;
}

/** Throws the fault of a file or of its index if it cannot be read without the missing part, or without the index. */
export function checkUsable(
  { truncation, mismatch, doubt }: FileCheck,
  { regions, isIndexed, truncated = 'warn', onWarning }: FileUse,
): void {
  if (mismatch !== undefined && regions !== undefined) throw mismatch;
  const isPart = isIndexed && regions?.every(({ referenceName }) => referenceName !== UNPLACED) === true;
  if (truncation !== undefined && !isPart) throw truncation;
  if (doubt !== undefined && truncated === 'refuse') throw doubt;
  if (doubt !== undefined) onWarning?.(doubt);
}

/** Returns a result. An index that points into the missing part of a truncated file throws the truncation, which is cached. */
export function explainTruncation<Result>({ truncation }: FileCheck, create: () => Result): Result {
  try {
    return create();
  } catch (error) {
    throw truncation !== undefined && error instanceof IndexError ? truncation : error;
  }
}
