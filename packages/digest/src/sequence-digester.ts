import { DigestError } from './errors.js';
import type { NormalizeOptions } from './normalize-into.js';
import { normalizePiece, PIECE_LENGTH } from './normalize-piece.js';
import { type SequenceDigests, SequenceHasher, toSequenceDigests } from './sequence-hasher.js';

/** Bytes gathered before they are hashed, so that FASTA fed line by line costs little more than in large pieces. */
const STAGING_LENGTH = 16_384;

/**
 * All digests of one sequence in one pass, in constant memory. Chunks may be cut anywhere and need no normalising
 * (refget 2.0.0, "Checksum algorithm").
 */
export class SequenceDigester {
  readonly #hasher = new SequenceHasher('both');
  readonly #keepAsterisk: boolean;
  readonly #staging = new Uint8Array(STAGING_LENGTH);
  #staged = 0;
  #isFinished = false;

  constructor(options: NormalizeOptions = {}) {
    this.#keepAsterisk = options.keepAsterisk ?? false;
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
    const { length, md5, sha512 } = this.#hasher.digest();
    if (md5 === undefined || sha512 === undefined) throw new TypeError('a digest is missing');
    return toSequenceDigests(length, md5, sha512);
  }

  #hashStaged(): void {
    this.#hash(this.#staging.subarray(0, this.#staged));
    this.#staged = 0;
  }

  #hash(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += PIECE_LENGTH) {
      this.#hasher.update(normalizePiece(bytes.subarray(at, at + PIECE_LENGTH), this.#keepAsterisk));
    }
  }

  #refuseFinished(): void {
    if (this.#isFinished) throw new DigestError('ALREADY_FINISHED', 'the digests were already taken');
  }
}
