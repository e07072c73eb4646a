import { growBytes, type MemoryAccount } from '@htskit/io/internal';
import { FormatError, locateMemoryError, relocateError } from '../format-error.js';

/** Limits of the memory of filters, rewriters and converters. */
export interface RecordLimits {
  /**
   * Most bytes of a record that arrives in several pieces. Default: 256 MiB, the most that any record may have. Records of 100,000
   * samples with long genotypes have tens of millions, and those of the longest reads several.
   */
  readonly recordBytes?: number;
  /** Counts the memory of long records while they grow. Default: it is not counted. */
  readonly memory?: MemoryAccount;
}

/** Default of `recordBytes`. */
const DEFAULT_RECORD_BYTES = 2 ** 28;

/** How the records of one format are delimited. All functions throw `FormatError` with offsets from the start of their bytes. */
export interface RecordLayout<View> {
  /** Whether the last record may end with the data instead of a delimiter. */
  readonly isEndedByData: boolean;
  /** Creates the view through which the other functions read `bytes`. */
  readonly open: (bytes: Uint8Array) => View;
  /** Returns the offset just after the record that starts at `at`, or undefined if the record is incomplete. */
  readonly recordEnd: (view: View, at: number) => number | undefined;
  /**
   * Returns a lower bound of the bytes that the record `begun` still lacks, 0 if it is complete. `rest` is the data that
   * follows `begun`; it may extend past the end of the record.
   */
  readonly countMissing: (begun: Uint8Array, rest: Uint8Array) => number;
  readonly limits?: RecordLimits;
}

/**
 * Visits the complete records at the start of `bytes`, which starts with a record. Returns the offset just after the last of
 * them.
 */
export type VisitRecords<View> = (bytes: Uint8Array, view: View) => number;

/**
 * Finds the records in data that arrives in pieces cut anywhere: the driver of all filters and rewriters. A record that is
 * cut between pieces is gathered in a buffer; other records are visited in the piece that holds them.
 */
export class RecordSplitter<View> {
  readonly #layout: RecordLayout<View>;
  readonly #cutRecord: CutRecord;
  /** Bytes of all earlier pieces. */
  #offset = 0;

  constructor(layout: RecordLayout<View>) {
    this.#layout = layout;
    this.#cutRecord = new CutRecord(layout);
  }

  /** Bytes of the record that is incomplete at the end of the pieces so far. */
  get pendingBytes(): number {
    return this.#cutRecord.byteLength;
  }

  /**
   * Calls `visit` for the record that earlier pieces started, once it is complete, and for the rest of `piece`. Throws
   * `FormatError` whose offset counts from the start of the first piece.
   */
  push(piece: Uint8Array, visit: VisitRecords<View>): void {
    const cutLength = this.#cutRecord.byteLength;
    const taken = cutLength === 0 ? 0 : this.#append(piece, this.#offset - cutLength);
    const cut = this.#cutRecord.take();
    if (cut !== undefined) countFrom(this.#offset - cutLength, () => visit(cut, this.#layout.open(cut)));
    const rest = piece.subarray(taken);
    const byteEnd = countFrom(this.#offset + taken, () => visit(rest, this.#layout.open(rest)));
    this.#append(rest.subarray(byteEnd), this.#offset + taken + byteEnd);
    this.#offset += piece.length;
  }

  /**
   * Ends the data. Calls `visit` for the record that the end of the data completes, if there is one. Throws `FormatError`
   * TRUNCATED if a record is incomplete.
   */
  finish(visit: (record: Uint8Array, view: View) => void): void {
    const { byteLength } = this.#cutRecord;
    if (byteLength === 0) return;
    const offset = this.#offset - byteLength;
    if (!this.#layout.isEndedByData) {
      throw new FormatError('TRUNCATED', `data ends ${byteLength} bytes into a record`, { offset });
    }
    const record = this.#cutRecord.take({ isAtEnd: true }) ?? new Uint8Array(0);
    countFrom(offset, () => visit(record, this.#layout.open(record)));
  }

  #append(piece: Uint8Array, offset: number): number {
    return countFrom(offset, () => this.#cutRecord.append(piece));
  }
}

/** A record that arrives in several pieces. Its buffer grows with the bytes received, not with the length that they declare. */
class CutRecord {
  readonly #countMissing: RecordLayout<unknown>['countMissing'];
  readonly #memory: MemoryAccount | undefined;
  readonly #maxBytes: number;
  #buffer = new Uint8Array(0);
  #byteLength = 0;
  #isComplete = false;
  /** The memory of the record that was taken last, which the caller still uses. */
  #takenBytes = 0;

  constructor({ countMissing, limits = {} }: Pick<RecordLayout<unknown>, 'countMissing' | 'limits'>) {
    this.#countMissing = countMissing;
    this.#memory = limits.memory;
    this.#maxBytes = limits.recordBytes ?? DEFAULT_RECORD_BYTES;
  }

  /** Bytes received so far. */
  get byteLength(): number {
    return this.#byteLength;
  }

  /** Takes the bytes that the record lacks from the start of `piece`, and returns their number. */
  append(piece: Uint8Array): number {
    let taken = 0;
    let missing = this.#countMissing(this.#received(), piece);
    while (missing > 0 && taken < piece.length) {
      this.#checkLength(this.#byteLength + missing);
      const part = piece.subarray(taken, taken + missing);
      this.#add(part);
      taken += part.length;
      missing = this.#countMissing(this.#received(), piece.subarray(taken));
    }
    this.#isComplete = missing === 0;
    return taken;
  }

  /** Returns and forgets the record if it is complete, or in any case with `isAtEnd`. */
  take(options: { readonly isAtEnd?: boolean } = {}): Uint8Array | undefined {
    this.#memory?.release(this.#takenBytes);
    this.#takenBytes = 0;
    if (!this.#isComplete && options.isAtEnd !== true) return undefined;
    const record = this.#received();
    this.#takenBytes = this.#buffer.length;
    this.#buffer = new Uint8Array(0);
    this.#byteLength = 0;
    this.#isComplete = false;
    return record;
  }

  #received(): Uint8Array {
    return this.#buffer.subarray(0, this.#byteLength);
  }

  #add(part: Uint8Array): void {
    const byteLength = this.#byteLength + part.length;
    if (byteLength > this.#buffer.length) {
      this.#buffer = growBytes(this.#buffer, {
        keptBytes: this.#byteLength,
        byteLength,
        maxBytes: this.#maxBytes,
        memory: this.#memory,
      });
    }
    this.#buffer.set(part, this.#byteLength);
    this.#byteLength = byteLength;
  }

  #checkLength(byteLength: number): void {
    if (byteLength <= this.#maxBytes) return;
    const message = `record of ${byteLength} bytes or more is over the limit of ${this.#maxBytes} (limits.recordBytes)`;
    throw new FormatError('LIMIT_EXCEEDED', message, { offset: 0 });
  }
}

/** Calls `read` and adds `offset` to the offset of the error that it throws. A record over the memory budget fails there, too. */
function countFrom<T>(offset: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof FormatError ? relocateError(error, offset) : locateMemoryError(error, offset);
  }
}
