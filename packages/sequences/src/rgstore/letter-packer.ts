import type { Alphabet } from './rgstore-sequence.js';

/** Packs the letters of one sequence, in pieces of any length: the first letter is in the highest bits of a byte. */
export class LetterPacker {
  readonly #bits: number;
  readonly #codes = new Uint8Array(256);
  /** Bits that do not fill a byte yet, in the lowest bits. */
  #rest = 0;
  #restBits = 0;

  /** Letters that the alphabet does not have become its first letter. */
  constructor({ bits, letters }: Alphabet) {
    this.#bits = bits;
    for (const [code, letter] of letters.entries()) this.#codes[letter] = code;
  }

  /** Returns the bytes that are complete with these letters. */
  push(letters: Uint8Array): Uint8Array {
    const packed = new Uint8Array(Math.floor((this.#restBits + letters.length * this.#bits) / 8));
    let written = 0;
    for (const letter of letters) {
      this.#rest = ((this.#rest << this.#bits) | (this.#codes[letter] ?? 0)) & 0xffff;
      this.#restBits += this.#bits;
      if (this.#restBits < 8) continue;
      this.#restBits -= 8;
      packed[written++] = this.#rest >>> this.#restBits;
    }
    return packed;
  }

  /** Returns the last byte, padded with zero bits, or nothing if the letters fill whole bytes. */
  finish(): Uint8Array {
    return this.#restBits === 0 ? new Uint8Array(0) : Uint8Array.of(this.#rest << (8 - this.#restBits));
  }
}
