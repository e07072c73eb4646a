import { GrowingColumn } from '../../columns/growing-column.js';
import { FormatError } from '../../format-error.js';

/** The mismatches of alignments, those of record i at [offsets[i], offsets[i + 1]) of each column. */
export interface MismatchColumns {
  /** One more than the records. */
  readonly offsets: Int32Array<ArrayBuffer>;
  /** The reference base, 0-based: the first one concerned, or the one before which bases are inserted or clipped. */
  readonly position: Int32Array<ArrayBuffer>;
  /** The index in SEQ of the first base concerned, or of the one before which reference bases are missing. */
  readonly readPosition: Int32Array<ArrayBuffer>;
  /** The index in `MISMATCH_KINDS`. */
  readonly kind: Uint8Array<ArrayBuffer>;
  /** Bases: of the reference for a deletion or skip, otherwise of the read. */
  readonly length: Uint32Array<ArrayBuffer>;
  /** The upper-case ASCII letter of the read base of a substitution; 0 for other kinds, and without SEQ. */
  readonly base: Uint8Array<ArrayBuffer>;
  /** The upper-case ASCII letter of the reference base of a substitution; 0 for other kinds, and if it is not known. */
  readonly reference: Uint8Array<ArrayBuffer>;
}

/**
 * The maximum number of mismatches of a batch. A record without SEQ may have an operation X of 2^28 bases: a batch of such records
 * would take all memory.
 */
const MAX_MISMATCHES = 2 ** 22;

/** Mismatches that are appended, record by record. */
export class GrowingMismatches {
  readonly #ends = new GrowingColumn(Int32Array);
  readonly #position = new GrowingColumn(Int32Array);
  readonly #readPosition = new GrowingColumn(Int32Array);
  readonly #kind = new GrowingColumn(Uint8Array);
  readonly #length = new GrowingColumn(Uint32Array);
  readonly #base = new GrowingColumn(Uint8Array);
  readonly #reference = new GrowingColumn(Uint8Array);

  constructor() {
    this.#start();
  }

  /** Appends a mismatch of the current record. The arguments are those of `VisitMismatch`. */
  push(kind: number, start: number, length: number, readStart: number, base: number, reference: number): void {
    const at = this.#position.reserve(1);
    if (at >= MAX_MISMATCHES) {
      throw new FormatError('LIMIT_EXCEEDED', `records of a batch have over ${MAX_MISMATCHES} mismatches`, {
        offset: 0,
      });
    }
    this.#readPosition.reserve(1);
    this.#kind.reserve(1);
    this.#length.reserve(1);
    this.#base.reserve(1);
    this.#reference.reserve(1);
    this.#position.values[at] = start;
    this.#readPosition.values[at] = readStart;
    this.#kind.values[at] = kind;
    this.#length.values[at] = length;
    this.#base.values[at] = base;
    this.#reference.values[at] = reference;
  }

  /** Ends the mismatches of a record, which may have no mismatch. */
  end(): void {
    const at = this.#ends.reserve(1);
    this.#ends.values[at] = this.#position.length;
  }

  /** Returns the columns in memory of their own, and starts again. */
  take(): MismatchColumns {
    const offsets = this.#ends.take();
    this.#start();
    return {
      offsets,
      position: this.#position.take(),
      readPosition: this.#readPosition.take(),
      kind: this.#kind.take(),
      length: this.#length.take(),
      base: this.#base.take(),
      reference: this.#reference.take(),
    };
  }

  #start(): void {
    const at = this.#ends.reserve(1);
    this.#ends.values[at] = 0;
  }
}
