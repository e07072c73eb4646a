import { normalizePiece, PIECE_LENGTH } from '@htskit/digest/internal';
import type { DigestJob, SequencePiece } from './digest-job.js';
import type { DigestLane, RecordDigests, RecordLanes } from './record-digests.js';

/** Bases per slot: a millisecond of hashing, a hundred times the cost of handing a slot to a lane. */
const SLOT_BYTES = 2 ** 20;
/** Parts per slot; bounds the memory of records with few bases or none. */
const SLOT_PARTS = 4096;

/** A slot with less space left is full, so that the pieces that are normalised at once do not become tiny. */
const MIN_FREE = 4096;

/** Bytes that V8 copies at once. */
const WORD_BYTES = 8;

/** A part of a record in a slot, at bytes [start, end) of the slot. */
interface SlotPart {
  readonly record: RecordDigests;
  readonly start: number;
  readonly end: number;
  /** Whether the record ends with this part. */
  isLast: boolean;
}

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
  #parts: SlotPart[] = [];
  /** Bytes that are filled, rounded up to a word. */
  #used = 0;

  get isFull(): boolean {
    return this.#used > SLOT_BYTES - MIN_FREE || this.#parts.length === SLOT_PARTS;
  }

  /** Normalises as many of `bytes` as fit and returns their number. The slot must not be full. */
  add(record: RecordDigests, bytes: Uint8Array, keepAsterisk: boolean): number {
    const piece = bytes.subarray(0, Math.min(PIECE_LENGTH, SLOT_BYTES - this.#used));
    const bases = normalizePiece(piece, keepAsterisk);
    const start = this.#used;
    this.#bytes.set(bases, start);
    // V8 copies to shared memory byte by byte, at a tenth of the speed, unless the target is aligned to a word.
    this.#used += Math.ceil(bases.length / WORD_BYTES) * WORD_BYTES;
    this.#parts.push({ record, start, end: start + bases.length, isLast: false });
    return piece.length;
  }

  /** Marks the end of `record`, in its last part or in an empty part of its own. */
  end(record: RecordDigests): void {
    const last = this.#parts.at(-1);
    if (last?.record === record) last.isLast = true;
    else this.#parts.push({ record, start: this.#used, end: this.#used, isLast: true });
  }

  clear(): void {
    this.#parts = [];
    this.#used = 0;
  }

  /** Divides the parts among the lanes and adds them to their loads. A record keeps the lanes that it got first. */
  assignPieces(lanes: readonly DigestLane[]): ReadonlyMap<DigestLane, readonly SequencePiece[]> {
    const pieces = new Map<DigestLane, SequencePiece[]>();
    const assign = (lane: DigestLane, piece: SequencePiece): void => {
      const byteLength = piece.end - piece.start;
      lane.load += piece.algorithms === 'both' ? 2 * byteLength : byteLength;
      if (piece.algorithms !== 'sha512') lane.md5Load += byteLength;
      const assigned = pieces.get(lane);
      if (assigned === undefined) pieces.set(lane, [piece]);
      else assigned.push(piece);
    };
    for (const { record, start, end, isLast } of this.#parts) {
      record.lanes ??= chooseLanes(lanes, isLast);
      const { md5, sha512 } = record.lanes;
      const piece = { sequence: record.sequence, start, end, isLast };
      if (md5 === sha512) {
        assign(md5, { ...piece, algorithms: 'both' });
      } else {
        assign(md5, { ...piece, algorithms: 'md5' });
        assign(sha512, { ...piece, algorithms: 'sha512' });
      }
    }
    return pieces;
  }

  /** Returns the memory for one job and what to transfer with it: nothing if it is shared, otherwise a copy per job. */
  toInput(): Pick<DigestJob, 'input'> & { readonly transfer: ArrayBuffer[] } {
    if (!(this.#memory instanceof ArrayBuffer)) return { input: this.#memory, transfer: [] };
    const input = this.#memory.slice(0, this.#used);
    return { input, transfer: [input] };
  }
}

/** Chooses one lane for a record that is already complete, otherwise the two least loaded ones. */
function chooseLanes(lanes: readonly DigestLane[], isComplete: boolean): RecordLanes {
  const first = leastLoaded(lanes);
  if (isComplete || lanes.length === 1) return { md5: first, sha512: first };
  return { md5: first, sha512: leastLoaded(lanes.filter((lane) => lane !== first)) };
}

/** Breaks ties by the load of MD5, which takes 1.3 times as long as SHA-512 on one processor and 0.8 times on another. */
function leastLoaded(lanes: readonly DigestLane[]): DigestLane {
  return lanes.reduce((best, lane) => ((lane.load - best.load || lane.md5Load - best.md5Load) < 0 ? lane : best));
}
