import { type RecordEnds, type RecordLayout, RecordSplitter } from './record-splitter.js';

/** The records in some bytes that begin with one. Throws `FormatError`, whose offset counts from those bytes. */
export interface RecordReader extends RecordEnds {
  /** Whether the record [at, end) is to be kept. */
  keeps(at: number, end: number): boolean;
}

/** How records are told apart in one format, and which of them are to be kept. */
export type RecordFiltering = RecordLayout<RecordReader>;

/** Keeps some of the records that come in pieces cut anywhere. */
export class RecordFilter {
  readonly #records: RecordSplitter<RecordReader>;

  constructor(filtering: RecordFiltering) {
    this.#records = new RecordSplitter(filtering);
  }

  /**
   * The records to keep among those that end in `piece`, in order, as runs of bytes; those that lie within `piece` are
   * views of it. Throws `FormatError` INVALID_DATA or LIMIT_EXCEEDED for bytes that are no record, whose offset counts
   * from the first piece.
   */
  push(piece: Uint8Array): Uint8Array[] {
    const kept: Uint8Array[] = [];
    this.#records.push(piece, (bytes, reader) => keepRuns(bytes, reader, kept));
    return kept;
  }

  /**
   * What is left to keep when all pieces have come. Throws `FormatError` TRUNCATED if a record has begun that did not end, and
   * as `push` where the end of the data ends one.
   */
  finish(): Uint8Array[] {
    const kept: Uint8Array[] = [];
    this.#records.finish((record, reader) => {
      if (reader.keeps(0, record.length)) kept.push(record);
    });
    return kept;
  }
}

/** Adds the runs of records to keep to `kept`, and returns where the last whole record ends. */
function keepRuns(bytes: Uint8Array, reader: RecordReader, kept: Uint8Array[]): number {
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
  return at;
}
