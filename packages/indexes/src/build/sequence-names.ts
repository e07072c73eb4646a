import { FormatError } from '@htskit/formats';
import { MAX_NAMES } from '../binning/tabix-header.js';

/** Numbers the sequences of a text in the order in which they come. */
export class SequenceNames {
  readonly #names: Uint8Array[] = [];
  /** By name, of which each byte is a character: not every one is UTF-8, and those that are not are names, too. */
  readonly #ids = new Map<string, number>();
  readonly #decoder = new TextDecoder('latin1');
  /** The last name, which most lines repeat. */
  #last = new Uint8Array(0);
  #lastId = -1;

  readonly #maxBytes: number;
  #byteLength = 0;

  /** Refuses names of more than `maxBytes` together. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** As the text has them, in the order of their numbers. */
  get names(): readonly Uint8Array[] {
    return this.#names;
  }

  /** The number of a name. Throws `FormatError` INVALID_DATA for one that is empty or holds a NUL; LIMIT_EXCEEDED. */
  idOf(name: Uint8Array): number {
    if (isEqual(name, this.#last)) return this.#lastId;
    if (name.length === 0 || name.includes(0)) {
      throw new FormatError('INVALID_DATA', 'the name of a sequence is empty or holds a NUL', { offset: 0 });
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
      const message = `more than ${MAX_NAMES} sequences, or than ${this.#maxBytes} bytes of their names`;
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
