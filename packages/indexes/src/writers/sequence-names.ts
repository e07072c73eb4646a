import { FormatError } from '@htskit/formats';
import { MAX_NAMES } from '../binning/tabix-header.js';

/** Assigns ids to the sequence names of a text file in the order of their first occurrence. */
export class SequenceNames {
  readonly #names: Uint8Array[] = [];
  /** The ids by name. Names need not be UTF-8, so each byte is decoded as one character. */
  readonly #ids = new Map<string, number>();
  readonly #decoder = new TextDecoder('latin1');
  /** The last name, which most lines repeat. */
  #last = new Uint8Array(0);
  #lastId = -1;

  readonly #maxBytes: number;
  #byteLength = 0;

  /** `maxBytes` limits the total length of the names. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The names as they are in the text, in the order of their ids. */
  get names(): readonly Uint8Array[] {
    return this.#names;
  }

  /**
   * Returns the id of a name. Throws `FormatError` INVALID_DATA if it is empty or contains a NUL, and LIMIT_EXCEEDED.
   */
  idOf(name: Uint8Array): number {
    if (isEqual(name, this.#last)) return this.#lastId;
    if (name.length === 0 || name.includes(0)) {
      throw new FormatError('INVALID_DATA', 'a sequence name is empty or contains a NUL', { offset: 0 });
    }
    const key = this.#decoder.decode(name);
    const id = this.#ids.get(key) ?? this.#add(key, name);
    this.#last = name.slice();
    this.#lastId = id;
    return id;
  }

  #add(key: string, name: Uint8Array): number {
    const id = this.#names.length;
    this.#byteLength += name.length;
    if (this.#byteLength > this.#maxBytes || id === MAX_NAMES) {
      const message = `more than ${MAX_NAMES} sequence names or more than ${this.#maxBytes} bytes of them`;
      throw new FormatError('LIMIT_EXCEEDED', message, { offset: 0 });
    }
    this.#names.push(name.slice());
    this.#ids.set(key, id);
    return id;
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length || a.length === 0) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
