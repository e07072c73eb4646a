import { FormatError } from '@htskit/formats';

/** Numbers the sequences of a text in the order in which they come. */
export class SequenceNames {
  readonly #ids = new Map<string, number>();
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  /** The last name, which most lines repeat. */
  #last = new Uint8Array(0);
  #lastId = -1;

  readonly #maxBytes: number;
  #byteLength = 0;

  /** Refuses names of more than `maxBytes` together. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** In the order of their numbers. */
  get names(): string[] {
    return [...this.#ids.keys()];
  }

  /** The number of a name. Throws `FormatError` INVALID_DATA for one that is not UTF-8, empty, or holds a NUL; LIMIT_EXCEEDED. */
  idOf(name: Uint8Array): number {
    if (isEqual(name, this.#last)) return this.#lastId;
    const text = this.#decode(name);
    const id = this.#ids.get(text) ?? this.#add(text, name.length);
    this.#last = name.slice();
    this.#lastId = id;
    return id;
  }

  #add(text: string, byteLength: number): number {
    const id = this.#ids.size;
    this.#byteLength += byteLength;
    if (this.#byteLength > this.#maxBytes) {
      throw new FormatError('LIMIT_EXCEEDED', `the names of sequences are longer than ${this.#maxBytes} bytes`, {
        offset: 0,
      });
    }
    this.#ids.set(text, id);
    return id;
  }

  #decode(name: Uint8Array): string {
    if (name.length > 0 && !name.includes(0)) {
      try {
        return this.#decoder.decode(name);
      } catch {
        // Not UTF-8: as below.
      }
    }
    throw new FormatError('INVALID_DATA', 'the name of a sequence is empty or not UTF-8', { offset: 0 });
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length || a.length === 0) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
