/**
 * Bytes that the record which begins with `begun` lacks at least, 0 if it is whole; `rest` follows and may go on behind the
 * record. Throws `FormatError`, whose offset counts from the record, for what no record begins with.
 */
export type CountMissing = (begun: Uint8Array, rest: Uint8Array) => number;

/** A record that comes in several pieces, in a buffer that grows with what has come and not with what is announced. */
export class CutRecord {
  readonly #countMissing: CountMissing;
  #buffer = new Uint8Array(0);
  #byteLength = 0;
  #isWhole = false;

  constructor(countMissing: CountMissing) {
    this.#countMissing = countMissing;
  }

  /** Bytes that have come. */
  get byteLength(): number {
    return this.#byteLength;
  }

  /** Takes from `piece` what the record lacks, and returns how many bytes that is. Throws as what counts them. */
  append(piece: Uint8Array): number {
    let taken = 0;
    let missing = this.#countMissing(this.#begun(), piece);
    while (missing > 0 && taken < piece.length) {
      const part = piece.subarray(taken, taken + missing);
      this.#add(part);
      taken += part.length;
      missing = this.#countMissing(this.#begun(), piece.subarray(taken));
    }
    this.#isWhole = missing === 0;
    return taken;
  }

  /** Hands the record out if it has come whole, or as it is where the data ends, to make place for another. */
  take(options: { readonly isAtEnd?: boolean } = {}): Uint8Array | undefined {
    if (!this.#isWhole && options.isAtEnd !== true) return undefined;
    const record = this.#begun();
    this.#buffer = new Uint8Array(0);
    this.#byteLength = 0;
    this.#isWhole = false;
    return record;
  }

  #begun(): Uint8Array {
    return this.#buffer.subarray(0, this.#byteLength);
  }

  #add(part: Uint8Array): void {
    const byteLength = this.#byteLength + part.length;
    if (byteLength > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(byteLength, 2 * this.#buffer.length));
      grown.set(this.#buffer);
      this.#buffer = grown;
    }
    this.#buffer.set(part, this.#byteLength);
    this.#byteLength = byteLength;
  }
}
