import type { SequenceDigests } from '@htskit/digest';
import { type RawDigests, toSequenceDigests } from '@htskit/digest/internal';
import type { DigestLane } from './digest-lane.js';

/** The digests of one record of a FASTA file. */
export interface FastaDigests extends SequenceDigests {
  /** The first word after `>`. */
  readonly name: string;
  /** The rest of that line, trimmed. */
  readonly description: string;
}

/** The lanes that compute the digests of a record; both may be the same lane. */
export interface RecordLanes {
  readonly md5: DigestLane;
  readonly sha512: DigestLane;
}

/** Gathers the digests of a record from one lane or two. */
export class RecordDigests {
  readonly sequence: number;
  readonly #name: string;
  readonly #description: string;
  #md5: Uint8Array | undefined;
  #sha512: Uint8Array | undefined;
  #length = 0;
  /** Undefined until the first part of the record is handed to a lane. */
  lanes: RecordLanes | undefined;

  constructor({ sequence, name, description }: { sequence: number; name: string; description: string }) {
    this.sequence = sequence;
    this.#name = name;
    this.#description = description;
  }

  /** Adds the result of a lane. */
  add({ length, md5, sha512 }: RawDigests): void {
    this.#length = length;
    this.#md5 ??= md5;
    this.#sha512 ??= sha512;
  }

  /** Undefined until both digests are known. */
  get result(): FastaDigests | undefined {
    if (this.#md5 === undefined || this.#sha512 === undefined) return undefined;
    const digests = toSequenceDigests(this.#length, this.#md5, this.#sha512);
    return { name: this.#name, description: this.#description, ...digests };
  }
}
