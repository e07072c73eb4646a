import type { SequenceDigests } from '@htskit/digest';
import { type RawDigests, toSequenceDigests } from '@htskit/digest/internal';
import type { DigestLane } from './digest-lane.js';

/** The digests of one record of a FASTA. */
export interface FastaDigests extends SequenceDigests {
  /** The first word behind `>`. */
  readonly name: string;
  /** The rest of that line, without white space around it. */
  readonly description: string;
}

/** Who computes which digest of a record; may be the same. */
export interface RecordLanes {
  readonly md5: DigestLane;
  readonly sha512: DigestLane;
}

/** A record whose digests come from one worker or two. */
export class RecordDigests {
  readonly sequence: number;
  readonly #name: string;
  readonly #description: string;
  #md5: Uint8Array | undefined;
  #sha512: Uint8Array | undefined;
  #length = 0;
  /** Undefined until a part of it was handed out. */
  lanes: RecordLanes | undefined;

  constructor({ sequence, name, description }: { sequence: number; name: string; description: string }) {
    this.sequence = sequence;
    this.#name = name;
    this.#description = description;
  }

  /** Adds what a worker computed. */
  add({ length, md5, sha512 }: RawDigests): void {
    this.#length = length;
    this.#md5 ??= md5;
    this.#sha512 ??= sha512;
  }

  /** Undefined until all is there. */
  get result(): FastaDigests | undefined {
    if (this.#md5 === undefined || this.#sha512 === undefined) return undefined;
    const digests = toSequenceDigests(this.#length, this.#md5, this.#sha512);
    return { name: this.#name, description: this.#description, ...digests };
  }
}
