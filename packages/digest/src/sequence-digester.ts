import { createMd5, createSha512 } from '#hash';
import { DigestError } from './errors.js';
import type { NormalizeOptions } from './normalize-into.js';
import { normalizePiece, PIECE_LENGTH } from './normalize-piece.js';
import { toHex, toTrunc512, truncateSha512 } from './sha512t24u.js';

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

/** Bytes gathered before they are hashed, so that FASTA fed line by line costs little more than in large pieces. */
const STAGING_LENGTH = 16_384;

/**
 * All digests of one sequence in one pass, in constant memory. Chunks may be cut anywhere and need no normalising
 * (refget 2.0.0, "Checksum algorithm").
 */
export class SequenceDigester {
  readonly #md5 = createMd5();
  readonly #sha512 = createSha512();
  readonly #staging = new Uint8Array(STAGING_LENGTH);
  readonly #keepStop: boolean;
  #staged = 0;
  #length = 0;
  #isFinished = false;

  constructor(options: NormalizeOptions = {}) {
    this.#keepStop = options.keepStop ?? false;
  }

  /** Adds bytes of the sequence; those that the normalisation drops do not count. Throws ALREADY_FINISHED after `digest`. */
  update(chunk: Uint8Array): this {
    this.#refuseFinished();
    if (this.#staged + chunk.length > STAGING_LENGTH) this.#hashStaged();
    if (chunk.length > STAGING_LENGTH) {
      this.#hash(chunk);
    } else {
      this.#staging.set(chunk, this.#staged);
      this.#staged += chunk.length;
    }
    return this;
  }

  /** The digests of everything added. Throws ALREADY_FINISHED when called again. */
  digest(): SequenceDigests {
    this.#refuseFinished();
    this.#isFinished = true;
    this.#hashStaged();
    const sqDigest = `SQ.${truncateSha512(this.#sha512.digest())}`;
    return {
      length: this.#length,
      md5: toHex(this.#md5.digest()),
      sha512t24u: sqDigest,
      trunc512: toTrunc512(sqDigest),
    };
  }

  #hashStaged(): void {
    this.#hash(this.#staging.subarray(0, this.#staged));
    this.#staged = 0;
  }

  #hash(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += PIECE_LENGTH) {
      const bases = normalizePiece(bytes.subarray(at, at + PIECE_LENGTH), this.#keepStop);
      this.#md5.update(bases);
      this.#sha512.update(bases);
      this.#length += bases.length;
    }
  }

  #refuseFinished(): void {
    if (this.#isFinished) throw new DigestError('ALREADY_FINISHED', 'the digests were already taken');
  }
}
