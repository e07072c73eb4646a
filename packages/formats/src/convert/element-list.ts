import { FormatError } from '../format-error.js';

/** The maximum number of bytes that the elements of one record may take. */
export const MAX_ELEMENT_BYTES: number = 2 ** 28;

/** Elements of typed values, each in 32 bits: integers, floats, or the bits of either. */
export class ElementList {
  #elements = new Int32Array(256);
  #floats = new Float32Array(this.#elements.buffer);
  #length = 0;
  /** The offset in the data at which the values start. */
  #offset = 0;

  /** The elements, in memory that is longer than the list. Valid until the next element is added. */
  get elements(): Int32Array {
    return this.#elements;
  }

  /** The number of elements. */
  get length(): number {
    return this.#length;
  }

  /** Drops all elements. Those of the values at `offset` follow. */
  clear(offset: number): void {
    this.#length = 0;
    this.#offset = offset;
  }

  /** Adds an integer, or the bits of a float. Throws `FormatError` `LIMIT_EXCEEDED` if they take over 256 MiB. */
  push(element: number): void {
    if (this.#length === this.#elements.length) this.#grow();
    this.#elements[this.#length++] = element;
  }

  /** Adds a float, as `push` does. */
  pushFloat(value: number): void {
    if (this.#length === this.#elements.length) this.#grow();
    this.#floats[this.#length++] = value;
  }

  #grow(): void {
    if (this.#elements.byteLength >= MAX_ELEMENT_BYTES) throw tooManyValues(this.#offset);
    const grown = new Int32Array(2 * this.#length);
    grown.set(this.#elements);
    this.#elements = grown;
    this.#floats = new Float32Array(grown.buffer);
  }
}

/** Returns the error for a record whose values exceed `MAX_ELEMENT_BYTES`. */
export function tooManyValues(offset: number): FormatError {
  return new FormatError('LIMIT_EXCEEDED', `values of a record take over ${MAX_ELEMENT_BYTES} bytes`, { offset });
}
