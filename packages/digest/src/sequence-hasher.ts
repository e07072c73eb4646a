import { createMd5, createSha512 } from '#hash';
import type { Hasher } from './hasher.js';
import { TRUNCATED_LENGTH, toHex, truncateSha512 } from './sha512t24u.js';

/** What refget calls a sequence by, and how long it is. */
export interface SequenceDigests {
  /** Bases of the normalised sequence. */
  readonly length: number;
  /** 32 lower-case hexadecimal digits. */
  readonly md5: string;
  /** With its prefix `SQ.`. */
  readonly sha512t24u: string;
  /** 48 lower-case hexadecimal digits. */
  readonly trunc512: string;
}

/** What to compute. One thread can do MD5 of a sequence while another does SHA-512. */
export type Algorithms = 'md5' | 'sha512' | 'both';

/** What was computed of a sequence. */
export interface RawDigests {
  /** Bases of the normalised sequence. */
  readonly length: number;
  readonly md5: Uint8Array | undefined;
  /** All 64 bytes. */
  readonly sha512: Uint8Array | undefined;
}

/** Hashes the bases of one sequence, which are normalised already. */
export class SequenceHasher {
  readonly #md5: Hasher | undefined;
  readonly #sha512: Hasher | undefined;
  #length = 0;

  constructor(algorithms: Algorithms) {
    this.#md5 = algorithms === 'sha512' ? undefined : createMd5();
    this.#sha512 = algorithms === 'md5' ? undefined : createSha512();
  }

  update(bases: Uint8Array): void {
    this.#md5?.update(bases);
    this.#sha512?.update(bases);
    this.#length += bases.length;
  }

  /** What was to be computed. Called once, last. */
  digest(): RawDigests {
    return { length: this.#length, md5: this.#md5?.digest(), sha512: this.#sha512?.digest() };
  }
}

/** The digests in the form in which refget has them. */
export function toSequenceDigests(length: number, md5: Uint8Array, sha512: Uint8Array): SequenceDigests {
  const trunc512 = toHex(sha512.subarray(0, TRUNCATED_LENGTH));
  return { length, md5: toHex(md5), sha512t24u: `SQ.${truncateSha512(sha512)}`, trunc512 };
}
