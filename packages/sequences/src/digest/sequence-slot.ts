import type { SequenceCharacters } from '@htskit/digest';
import { type NormalizedPiece, normalizePiece, PIECE_LENGTH } from '@htskit/digest/internal';
import { peek } from '@htskit/io';
import { type DigestJob, FIRST, LAST, MD5, SHA512, WHOLE } from './digest-job.js';
import type { DigestLane, RecordDigests, RecordLanes } from './record-digests.js';

/** Bases per slot: four milliseconds for each hash. Handing a slot to a lane and back costs a fifth of a millisecond. */
const SLOT_BYTES = 2 ** 21;
/** Parts per slot; bounds the memory of records with few bases or none. */
const SLOT_PARTS = 4096;

/** A slot with less space left is full, so that the pieces that are normalised at once do not become tiny. */
const MIN_FREE = 4096;

/** Bytes that V8 copies at once. */
const WORD_BYTES = 8;

/**
 * Holds normalised bases of consecutive records. Normalising here, once, rather than in the two workers that hash the same
 * bases saves a tenth of the work.
 */
export class SequenceSlot {
  /** Shared memory if the runtime has it, so that nothing is copied for a worker. */
  readonly #memory: ArrayBufferLike = new (typeof SharedArrayBuffer === 'function' ? SharedArrayBuffer : ArrayBuffer)(
    SLOT_BYTES,
  );
  readonly #bytes = new Uint8Array(this.#memory);
  // The parts of records, in columns: each is bytes [start, end) of the slot.
  #records: RecordDigests[] = [];
  readonly #starts = new Int32Array(SLOT_PARTS);
  readonly #ends = new Int32Array(SLOT_PARTS);
  /** `FIRST` and `LAST`. */
  readonly #flags = new Uint8Array(SLOT_PARTS);
  /** Bytes that are filled, rounded up to a word. */
  #used = 0;

  get isFull(): boolean {
    return this.#used > SLOT_BYTES - MIN_FREE || this.#records.length === SLOT_PARTS;
  }

  /** Returns how many of the next bytes of a sequence fit. */
  capacityFor(bytes: Uint8Array): number {
    return Math.min(bytes.length, PIECE_LENGTH, SLOT_BYTES - this.#used);
  }

  /** Normalises bytes, which must fit. The slot must not be full. */
  add(record: RecordDigests, bytes: Uint8Array, characters: SequenceCharacters): NormalizedPiece {
    const piece = normalizePiece(bytes, characters);
    const { bases } = piece;
    const start = this.#used;
    this.#bytes.set(peek(bases), start);
    // V8 copies to shared memory byte by byte, at a tenth of the speed, unless the target is aligned to a word.
    this.#used += Math.ceil(bases.length / WORD_BYTES) * WORD_BYTES;
    this.#addPart(record, start, start + bases.length);
    return piece;
  }

  /** Marks the end of `record`, in its last part or in an empty part of its own. */
  end(record: RecordDigests): void {
    if (this.#records.at(-1) !== record) this.#addPart(record, this.#used, this.#used);
    const last = this.#records.length - 1;
    this.#flags[last] = (this.#flags[last] ?? 0) | LAST;
  }

  clear(): void {
    this.#records = [];
    this.#used = 0;
  }

  /**
   * Divides the parts among the lanes, as `DigestJob.pieces`, and adds them to the loads of the lanes. The records that are
   * whole share one lane; any other keeps the lanes that it got first.
   */
  assignPieces(lanes: readonly DigestLane[]): ReadonlyMap<DigestLane, Int32Array> {
    const pieces = new Map<DigestLane, number[]>();
    const assign = (lane: DigestLane, part: number, flags: number): void => {
      const start = this.#starts[part] ?? 0;
      const end = this.#ends[part] ?? 0;
      lane.load += (flags & WHOLE & (MD5 | SHA512)) === (MD5 | SHA512) ? 2 * (end - start) : end - start;
      if ((flags & MD5) !== 0) lane.md5Load += end - start;
      const record = this.#records[part]?.index ?? 0;
      const assigned = pieces.get(lane);
      if (assigned === undefined) pieces.set(lane, [record, start, end, flags]);
      else assigned.push(record, start, end, flags);
    };
    const shared = leastLoaded(lanes);
    for (const [part, record] of this.#records.entries()) {
      const flags = this.#flags[part] ?? 0;
      if (flags === (FIRST | LAST)) {
        assign(shared, part, WHOLE);
        continue;
      }
      record.lanes ??= chooseLanes(lanes);
      const { md5, sha512 } = record.lanes;
      if (md5 === sha512) {
        assign(md5, part, MD5 | SHA512 | flags);
      } else {
        assign(md5, part, MD5 | flags);
        assign(sha512, part, SHA512 | flags);
      }
    }
    return new Map(Array.from(pieces, ([lane, numbers]) => [lane, Int32Array.from(numbers)]));
  }

  /** Returns the memory for one job and what to transfer with it: nothing if it is shared, otherwise a copy per job. */
  toInput(): Pick<DigestJob, 'input'> & { readonly transfer: ArrayBuffer[] } {
    if (!(this.#memory instanceof ArrayBuffer)) return { input: this.#memory, transfer: [] };
    const input = this.#memory.slice(0, this.#used);
    return { input, transfer: [input] };
  }

  /** Adds a part, which continues the last one if a record is added to again. */
  #addPart(record: RecordDigests, start: number, end: number): void {
    const part = this.#records.length;
    this.#records.push(record);
    this.#starts[part] = start;
    this.#ends[part] = end;
    this.#flags[part] = record.hasParts ? 0 : FIRST;
    record.hasParts = true;
  }
}

/** Chooses the two least loaded lanes. */
function chooseLanes(lanes: readonly DigestLane[]): RecordLanes {
  const first = leastLoaded(lanes);
  if (lanes.length === 1) return { md5: first, sha512: first };
  return { md5: first, sha512: leastLoaded(lanes.filter((lane) => lane !== first)) };
}

/** Breaks ties by the load of MD5, which takes 1.3 times as long as SHA-512 on one processor and 0.8 times on another. */
function leastLoaded(lanes: readonly DigestLane[]): DigestLane {
  return lanes.reduce((best, lane) => ((lane.load - best.load || lane.md5Load - best.md5Load) < 0 ? lane : best));
}
