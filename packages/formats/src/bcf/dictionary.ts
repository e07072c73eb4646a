import { decodeText } from '@htskit/io';
import { FormatError } from '../format-error.js';
import { type NameIds, NameTable } from '../records/name-table.js';

/** Bytes of magic and l_text. */
export const TEXT_START = 9;
/** Numbers are below this limit: an IDX is otherwise unbounded, and each contig takes about a hundred bytes. */
const NUMBER_LIMIT = 2 ** 21;

const FIRST_CAPACITY = 256;
/** The number of a name, and a further number of a known name, for which htslib has none. */
const [USED, FURTHER] = [1, 2];

/**
 * A dictionary of a BCF header: names and their numbers (VCFv4.3 §6.2.1). The first line that declares a name counts, as in
 * htslib.
 */
export class BcfDictionary implements NameIds {
  readonly #noun: string;
  readonly #names = new NameTable();
  /** The names that have several numbers. */
  readonly #repeated = new Set<string>();
  /** The number of each name. */
  #numbers = new Uint32Array(FIRST_CAPACITY);
  /** Whether each number is in use, and how. */
  #isUsed = new Uint8Array(FIRST_CAPACITY);
  #nextId = 0;
  /** The number of a name without IDX: one more than the highest number of a name so far. */
  #nextNumber = 0;

  constructor(noun: string) {
    this.#noun = noun;
  }

  /** One more than the highest number so far. */
  get nextId(): number {
    return this.#nextId;
  }

  get size(): number {
    return this.#names.size;
  }

  /** Memory in bytes. */
  get byteLength(): number {
    return this.#names.byteLength + this.#numbers.byteLength + this.#isUsed.length;
  }

  /**
   * Adds a name and returns its number, or undefined if the dictionary has the name. Throws `FormatError` `INVALID_DATA` for a
   * number that is in use, and `LIMIT_EXCEEDED` for one of 2^21 or more.
   */
  add(name: Uint8Array, number: number = this.#nextNumber): number | undefined {
    const { size } = this.#names;
    if (!this.#names.addNew(name)) return undefined;
    if (this.#isUsed[number] === USED) {
      throw new FormatError('INVALID_DATA', `two ${this.#noun} have the number ${number}`, { offset: TEXT_START });
    }
    this.#use(number, USED);
    if (size === this.#numbers.length) {
      const numbers = new Uint32Array(2 * size);
      numbers.set(this.#numbers);
      this.#numbers = numbers;
    }
    this.#numbers[size] = number;
    this.#nextNumber = Math.max(this.#nextNumber, number + 1);
    return number;
  }

  /** Adds a further number of a known name, and returns it, or undefined if it is in use. Another name may still get it. */
  addNumber(name: Uint8Array, number: number): number | undefined {
    if ((this.#isUsed[number] ?? 0) !== 0) return undefined;
    this.#use(number, FURTHER);
    this.#repeated.add(decodeText(name));
    return number;
  }

  #use(number: number, use: number): void {
    if (number >= NUMBER_LIMIT) {
      const message = `number ${number} in the dictionary of ${this.#noun} is not below the limit of ${NUMBER_LIMIT}`;
      throw new FormatError('LIMIT_EXCEEDED', message, { offset: TEXT_START });
    }
    if (number >= this.#isUsed.length) {
      const isUsed = new Uint8Array(2 * (number + 1));
      isUsed.set(this.#isUsed);
      this.#isUsed = isUsed;
    }
    this.#isUsed[number] = use;
    this.#nextId = Math.max(this.#nextId, number + 1);
  }

  get(name: string): number | undefined {
    const id = this.#names.get(name);
    return id === undefined ? undefined : this.#numbers[id];
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  isRepeated(name: string): boolean {
    return this.#repeated.has(name);
  }

  keys(): MapIterator<string> {
    return this.#names.keys();
  }

  *values(): MapIterator<number> {
    for (const number of this.#numbers.subarray(0, this.size)) yield number;
  }

  *[Symbol.iterator](): MapIterator<[string, number]> {
    for (const [name, id] of this.#names) yield [name, this.#numbers[id] ?? 0];
  }
}
