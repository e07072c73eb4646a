/** The base of each code of two bits, which are bits 1 and 2 of its ASCII letter. */
const BASES = [0x41, 0x43, 0x54, 0x47] as const;

/** The four bases of each byte value, the first base in the lowest byte of the word. A packed byte holds it in its highest bits. */
const FOUR_BASES = createFourBases();

function createFourBases(): Int32Array {
  const words = new Int32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    for (let at = 0; at < 4; at++) {
      const base = BASES[(byte >> (6 - 2 * at)) & 3] ?? 0;
      words[byte] = (words[byte] ?? 0) | (base << (8 * at));
    }
  }
  return words;
}

/** Returns the number of bytes that `bases` packed bases take. */
export function packedLength(bases: number): number {
  return Math.ceil(bases / 4);
}

/** Packs four bases, the first in the lowest byte of `word`. The result is meaningless for letters other than A, C, G and T. */
function packWord(word: number): number {
  // Moves the four codes next to each other; no two products share a bit.
  return Math.imul((word >>> 1) & 0x03030303, 0x40100401) >>> 24;
}

/** Returns whether the four bytes of a signed word are letters A, C, G and T. */
export function isPackable(word: number): boolean {
  return FOUR_BASES[packWord(word)] === word;
}

/** Unpacks four bases from each byte. */
export function unpackBases(packed: Uint8Array): Uint8Array {
  const bases = new Uint8Array(4 * packed.length);
  const view = new DataView(bases.buffer);
  for (let at = 0; at < packed.length; at++) view.setInt32(4 * at, FOUR_BASES[packed[at] ?? 0] ?? 0, true);
  return bases;
}

/** Packs the bases of one sequence, in pieces of any length. */
export class BasePacker {
  /** Bases that do not fill a byte yet. */
  readonly #rest = new Uint8Array(4);
  readonly #restView = new DataView(this.#rest.buffer);
  #restLength = 0;

  /** Returns the bytes that are complete with these bases. */
  push(bases: Uint8Array): Uint8Array {
    const total = this.#restLength + bases.length;
    const packed = new Uint8Array(total >>> 2);
    let at = 0;
    let written = 0;
    if (this.#restLength > 0) {
      at = Math.min(4 - this.#restLength, bases.length);
      this.#rest.set(bases.subarray(0, at), this.#restLength);
      this.#restLength += at;
      if (this.#restLength < 4) return packed;
      packed[written++] = packWord(this.#restView.getInt32(0, true));
    }
    const view = new DataView(bases.buffer, bases.byteOffset, bases.length);
    for (; written < packed.length; at += 4) packed[written++] = packWord(view.getInt32(at, true));
    this.#rest.set(bases.subarray(at));
    this.#restLength = bases.length - at;
    return packed;
  }

  /** Returns the last byte, padded with zero bits, or nothing if the bases fill whole bytes. */
  finish(): Uint8Array {
    if (this.#restLength === 0) return new Uint8Array(0);
    const unused = 8 - 2 * this.#restLength;
    return Uint8Array.of((packWord(this.#restView.getInt32(0, true)) >> unused) << unused);
  }
}
