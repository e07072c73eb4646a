import { Crypt4ghError } from '../crypt4gh-error.js';

/** The length of every key of Crypt4GH in bytes. */
export const KEY_BYTES = 32;

/** Stands for the bytes wherever the object is printed. */
const REDACTED = '[secret]';

/** Bytes that no log, no JSON and no inspection shows, and that can be zeroed. */
export class SecretBytes {
  readonly #bytes: Uint8Array;
  #isCleared = false;

  /** Copies the bytes: the caller may zero its own. Throws `Crypt4ghError` INVALID_KEY unless there are 32. */
  constructor(bytes: Uint8Array) {
    if (bytes.length !== KEY_BYTES) {
      throw new Crypt4ghError('INVALID_KEY', `a key has ${KEY_BYTES} bytes, not ${bytes.length}`);
    }
    this.#bytes = Uint8Array.from(bytes);
  }

  /** Returns the bytes themselves, which `clear` zeroes. Throws `Crypt4ghError` INVALID_KEY after that. */
  expose(): Uint8Array {
    if (this.#isCleared) throw new Crypt4ghError('INVALID_KEY', 'the key was cleared');
    return this.#bytes;
  }

  /** Zeroes the bytes. The key cannot be used afterwards. */
  clear(): void {
    this.#bytes.fill(0);
    this.#isCleared = true;
  }

  /** Compares in a time that does not depend on the bytes. */
  equals(other: SecretBytes): boolean {
    const [left, right] = [this.expose(), other.expose()];
    let difference = 0;
    for (const [at, byte] of left.entries()) difference |= byte ^ (right[at] ?? 0);
    return difference === 0;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }
}
