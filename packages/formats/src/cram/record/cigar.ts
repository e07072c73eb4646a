import { invalidData } from '../../format-error.js';

/** CIGAR operations (SAMv1 §4.2). */
export const CIGAR = { match: 0, insertion: 1, deletion: 2, skip: 3, softClip: 4, hardClip: 5, padding: 6 } as const;

const MAX_LENGTH = 2 ** 28 - 1;

/** Builds a CIGAR. Adjacent operations of one kind become one. */
export class CigarBuilder {
  /** The encoded operations. */
  operations: Uint32Array = new Uint32Array(64);
  count = 0;
  #operation: number = CIGAR.match;
  #length = 0;
  /** Bytes from the start of the file to the slice, for the offsets of errors. */
  readonly #offset: number;

  constructor(offset: number) {
    this.#offset = offset;
  }

  start(): void {
    this.count = 0;
    this.#operation = CIGAR.match;
    this.#length = 0;
  }

  add(operation: number, length: number): void {
    if (operation !== this.#operation) this.flush();
    this.#operation = operation;
    this.#length += length;
  }

  /** Adds a clip, which stays an operation of its own. */
  addSoftClip(length: number): void {
    this.flush();
    this.#push(CIGAR.softClip, length);
  }

  /** Ends the current operation. One of no length is dropped. */
  flush(): void {
    if (this.#length > 0) this.#push(this.#operation, this.#length);
    this.#length = 0;
  }

  /** Returns the number of bases of the reference that the operations cover. */
  referenceSpan(): number {
    let span = 0;
    for (let i = 0; i < this.count; i++) {
      const operation = this.operations[i] ?? 0;
      const kind = operation & 15;
      if (kind === CIGAR.match || kind === CIGAR.deletion || kind === CIGAR.skip) span += operation >>> 4;
    }
    return span;
  }

  #push(operation: number, length: number): void {
    if (length > MAX_LENGTH) throw invalidData(`CIGAR operation of ${length} bases is too long`, this.#offset);
    if (this.count === this.operations.length) {
      const grown = new Uint32Array(2 * this.count);
      grown.set(this.operations);
      this.operations = grown;
    }
    this.operations[this.count] = length * 16 + operation;
    this.count += 1;
  }
}
