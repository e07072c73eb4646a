import {
  type Algorithms,
  hashBatch,
  MD5_LENGTH,
  type RawDigests,
  SequenceHasher,
  TRUNCATED_LENGTH,
} from '@htskit/digest/internal';

// What a piece of a sequence needs, and what a result holds.
export const MD5 = 1;
export const SHA512 = 2;
/** The sequence begins with this piece. */
export const FIRST = 4;
/** The sequence ends with this piece. */
export const LAST = 8;
/** A whole sequence. */
export const WHOLE: number = MD5 | SHA512 | FIRST | LAST;

/** Numbers of each piece in a job: the record, the start and the end of its bases in the input, and flags. */
const PIECE_NUMBERS = 4;

/** Whole sequences up to this length are hashed in batches; for longer ones, a hasher of their own is faster in Node. */
const BATCHED_BASES = 4096;

/** Pieces of normalised sequences. Typed arrays, because a worker receives an object per piece in ten times the time. */
export interface DigestJob {
  /** Identifies the file among all that a worker has in progress. */
  readonly file: number;
  readonly input: ArrayBufferLike;
  readonly pieces: Int32Array;
}

/** The digests of the sequences that have ended, in columns. */
export interface DigestJobResult {
  readonly records: Int32Array;
  /** `MD5`, `SHA512` or both. */
  readonly algorithms: Uint8Array;
  readonly lengths: Float64Array;
  /** 16 bytes for each record. */
  readonly md5: Uint8Array;
  /** 24 bytes for each record. */
  readonly trunc512: Uint8Array;
}

/** Runs jobs one after another and keeps the hash states of sequences that have not ended. */
export class DigestJobs {
  readonly #hashers = new Map<string, SequenceHasher>();

  run({ file, input, pieces }: DigestJob): DigestJobResult {
    const bases = new Uint8Array(input);
    const count = pieces.length / PIECE_NUMBERS;
    const short = new ShortSequences(count);
    const ended: (RawDigests & { readonly record: number })[] = [];
    for (let index = 0; index < count; index++) {
      const [record = 0, start = 0, end = 0, flags = 0] = pieces.subarray(PIECE_NUMBERS * index);
      if (flags === WHOLE && end - start <= BATCHED_BASES) {
        short.add(record, start, end);
        continue;
      }
      const key = `${file} ${record}`;
      const hasher = this.#hashers.get(key) ?? new SequenceHasher(toAlgorithms(flags));
      hasher.update(bases.subarray(start, end));
      if ((flags & LAST) === 0) {
        this.#hashers.set(key, hasher);
      } else {
        ended.push({ record, ...hasher.digest() });
        this.#hashers.delete(key);
      }
    }
    const result = short.digest(bases, ended.length);
    for (const [index, { record, length, md5, sha512 }] of ended.entries()) {
      const at = short.count + index;
      result.records[at] = record;
      result.algorithms[at] = (md5 === undefined ? 0 : MD5) | (sha512 === undefined ? 0 : SHA512);
      result.lengths[at] = length;
      if (md5 !== undefined) result.md5.set(md5, at * MD5_LENGTH);
      if (sha512 !== undefined) result.trunc512.set(sha512.subarray(0, TRUNCATED_LENGTH), at * TRUNCATED_LENGTH);
    }
    return result;
  }
}

function toAlgorithms(flags: number): Algorithms {
  if ((flags & MD5) === 0) return 'sha512';
  return (flags & SHA512) === 0 ? 'md5' : 'both';
}

/** The whole sequences of a job that are hashed in a batch. */
class ShortSequences {
  readonly #records: Int32Array;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  count = 0;

  constructor(capacity: number) {
    this.#records = new Int32Array(capacity);
    this.#starts = new Int32Array(capacity);
    this.#ends = new Int32Array(capacity);
  }

  add(record: number, start: number, end: number): void {
    this.#records[this.count] = record;
    this.#starts[this.count] = start;
    this.#ends[this.count] = end;
    this.count++;
  }

  /** Returns their digests, with space for `further` results. */
  digest(bases: Uint8Array, further: number): DigestJobResult {
    const total = this.count + further;
    const [starts, ends] = [this.#starts.subarray(0, this.count), this.#ends.subarray(0, this.count)];
    const result = {
      records: new Int32Array(total),
      algorithms: new Uint8Array(total).fill(MD5 | SHA512, 0, this.count),
      lengths: new Float64Array(total),
      md5: new Uint8Array(total * MD5_LENGTH),
      trunc512: new Uint8Array(total * TRUNCATED_LENGTH),
    };
    result.records.set(this.#records.subarray(0, this.count));
    for (let index = 0; index < this.count; index++) result.lengths[index] = (ends[index] ?? 0) - (starts[index] ?? 0);
    hashBatch({ bases, starts, ends, md5: result.md5, trunc512: result.trunc512 });
    return result;
  }
}
