import { type CountMissing, CutRecord } from './cut-record.js';
import { FormatError } from './format-error.js';
import { relocateError } from './relocate-error.js';

/** The records in some bytes that begin with one. Throws `FormatError`, whose offset counts from those bytes. */
export interface RecordReader {
  /** Index behind the record at `at`, or undefined where the bytes end inside of it. */
  recordEnd(at: number): number | undefined;
  /** Whether the record [at, end) is to be kept. */
  keeps(at: number, end: number): boolean;
}

/** How records are told apart in one format, and which of them are to be kept. */
export interface RecordSelection {
  readonly countMissing: CountMissing;
  /** Whether a record may end with the data. */
  readonly isEndedByData: boolean;
  read(bytes: Uint8Array): RecordReader;
}

/** Keeps some of the records that come in pieces cut anywhere. */
export class RecordFilter {
  readonly #selection: RecordSelection;
  /** The record that began in earlier pieces and has not ended. */
  readonly #cutRecord: CutRecord;
  /** Bytes in front of the piece at hand. */
  #offset = 0;

  constructor(selection: RecordSelection) {
    this.#selection = selection;
    this.#cutRecord = new CutRecord(selection.countMissing);
  }

  /**
   * The records to keep among those that end in `piece`, in order, as runs of bytes; those that lie within `piece` are
   * views of it. Throws `FormatError` INVALID_DATA or LIMIT_EXCEEDED for bytes that are no record, whose offset counts
   * from the first piece.
   */
  push(piece: Uint8Array): Uint8Array[] {
    const cutLength = this.#cutRecord.byteLength;
    const taken = cutLength === 0 ? 0 : this.#append(piece, this.#offset - cutLength);
    const cut = this.#cutRecord.take();
    const completed = cut === undefined ? [] : this.#filterRecords(cut, this.#offset - cutLength).kept;
    const rest = piece.subarray(taken);
    const { kept, byteEnd } = this.#filterRecords(rest, this.#offset + taken);
    this.#append(rest.subarray(byteEnd), this.#offset + taken + byteEnd);
    this.#offset += piece.length;
    return completed.concat(kept);
  }

  /**
   * What is left to keep when all pieces have come. Throws `FormatError` TRUNCATED if a record has begun that did not end, and
   * as `push` where the end of the data ends one.
   */
  finish(): Uint8Array[] {
    const { byteLength } = this.#cutRecord;
    if (byteLength === 0) return [];
    const offset = this.#offset - byteLength;
    if (!this.#selection.isEndedByData) {
      throw new FormatError('TRUNCATED', `the data ends ${byteLength} bytes into a record`, { offset });
    }
    const record = this.#cutRecord.take({ isAtEnd: true }) ?? new Uint8Array(0);
    const isKept = countFrom(offset, () => this.#selection.read(record).keeps(0, record.length));
    return isKept ? [record] : [];
  }

  #append(piece: Uint8Array, offset: number): number {
    return countFrom(offset, () => this.#cutRecord.append(piece));
  }

  #filterRecords(bytes: Uint8Array, offset: number): KeptRecords {
    return countFrom(offset, () => keepRuns(bytes, this.#selection.read(bytes)));
  }
}

/** Runs of records to keep, and where the last whole record ends. */
interface KeptRecords {
  readonly kept: Uint8Array[];
  readonly byteEnd: number;
}

function keepRuns(bytes: Uint8Array, reader: RecordReader): KeptRecords {
  const kept: Uint8Array[] = [];
  let runStart = 0;
  let at = 0;
  let end = reader.recordEnd(at);
  while (end !== undefined) {
    if (!reader.keeps(at, end)) {
      if (runStart < at) kept.push(bytes.subarray(runStart, at));
      runStart = end;
    }
    at = end;
    end = reader.recordEnd(at);
  }
  if (runStart < at) kept.push(bytes.subarray(runStart, at));
  return { kept, byteEnd: at };
}

/** What `read` gives, whose errors count from byte `offset`. */
function countFrom<T>(offset: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof FormatError ? relocateError(error, offset) : error;
  }
}
