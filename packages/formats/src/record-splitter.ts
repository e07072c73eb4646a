import { type CountMissing, CutRecord } from './cut-record.js';
import { FormatError } from './format-error.js';
import { relocateError } from './relocate-error.js';

/** Tells where records end in some bytes that begin with one. Throws `FormatError`, whose offset counts from those bytes. */
export interface RecordEnds {
  /** Index behind the record at `at`, or undefined where the bytes end inside of it. */
  recordEnd(at: number): number | undefined;
}

/** How records are told apart in one format, and what reads them. */
export interface RecordLayout<Reader extends RecordEnds> {
  readonly countMissing: CountMissing;
  /** Whether a record may end with the data. */
  readonly isEndedByData: boolean;
  read(bytes: Uint8Array): Reader;
}

/** Tells apart the records that come in pieces cut anywhere. Errors of what reads them are made to count from the first piece. */
export class RecordSplitter<Reader extends RecordEnds> {
  readonly #layout: RecordLayout<Reader>;
  /** The record that began in earlier pieces and has not ended. */
  readonly #cutRecord: CutRecord;
  /** Bytes in front of the piece at hand. */
  #offset = 0;

  constructor(layout: RecordLayout<Reader>) {
    this.#layout = layout;
    this.#cutRecord = new CutRecord(layout.countMissing);
  }

  /**
   * Calls `visit` for the record that ends first in `piece`, if it began in front of it, and for all of `piece` behind that.
   * `visit` takes the whole records that the bytes begin with, and returns where the last one ends. Throws `FormatError`
   * INVALID_DATA or LIMIT_EXCEEDED for bytes that are no record, and what `visit` throws.
   */
  push(piece: Uint8Array, visit: (bytes: Uint8Array, reader: Reader) => number): void {
    const cutLength = this.#cutRecord.byteLength;
    const taken = cutLength === 0 ? 0 : this.#append(piece, this.#offset - cutLength);
    const cut = this.#cutRecord.take();
    if (cut !== undefined) countFrom(this.#offset - cutLength, () => visit(cut, this.#layout.read(cut)));
    const rest = piece.subarray(taken);
    const byteEnd = countFrom(this.#offset + taken, () => visit(rest, this.#layout.read(rest)));
    this.#append(rest.subarray(byteEnd), this.#offset + taken + byteEnd);
    this.#offset += piece.length;
  }

  /**
   * Calls `visit` for the record that the end of the data ends, if there is one. Throws `FormatError` TRUNCATED if a record has
   * begun that did not end, and what `visit` throws.
   */
  finish(visit: (record: Uint8Array, reader: Reader) => void): void {
    const { byteLength } = this.#cutRecord;
    if (byteLength === 0) return;
    const offset = this.#offset - byteLength;
    if (!this.#layout.isEndedByData) {
      throw new FormatError('TRUNCATED', `the data ends ${byteLength} bytes into a record`, { offset });
    }
    const record = this.#cutRecord.take({ isAtEnd: true }) ?? new Uint8Array(0);
    countFrom(offset, () => visit(record, this.#layout.read(record)));
  }

  #append(piece: Uint8Array, offset: number): number {
    return countFrom(offset, () => this.#cutRecord.append(piece));
  }
}

/** What `read` gives, whose errors count from byte `offset`. */
function countFrom<T>(offset: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof FormatError ? relocateError(error, offset) : error;
  }
}
