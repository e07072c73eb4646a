import { createQuads, type UnpackedInterval, unpackQuads } from '@htskit/formats/internal';

/** The bases of each byte. The code of a base is bits 1 and 2 of its ASCII letter. */
const QUADS = createQuads('ACTG');
const FOUR_BASES = new DataView(QUADS.buffer);

/** Returns the number of bytes that `bases` packed bases take. */
export function packedLength(bases: number): number {
  return Math.ceil(bases / 4);
}

/** Packs four bases, the first in the lowest byte of `word`. The result is meaningless for letters other than A, C, G and T. */
function packWord(word: number): number {
  // Moves the four codes next to each other; no two products share a bit.
  return Math.imul((word >>> 1) & 0x03030303, 0x40100401) >>> 24;
}

/** Returns whether the four bytes of a signed little-endian word are letters A, C, G and T. */
export function isPackable(word: number): boolean {
  return FOUR_BASES.getInt32(4 * packWord(word), true) === word;
}

/** Unpacks the bases of a range from the bytes that hold them. */
export function unpackBases(packed: Uint8Array, range: UnpackedInterval): Uint8Array {
  return unpackQuads(packed, QUADS, range);
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
