import { normalizePiece, PIECE_LENGTH } from '@htskit/digest/internal';
import type { RecordDigests } from './record-digests.js';

/** Bases that are handed out together: a millisecond of hashing, a hundred times what handing out costs. */
const SLOT_BYTES = 2 ** 20;
/** Parts that are handed out together, which bounds the memory where records have few bases or none. */
const SLOT_PARTS = 4096;

/** With less place than this a slot is full: what is normalised at once gets no smaller. */
const MIN_FREE = 4096;

/** Bytes that V8 copies at once. */
const WORD_BYTES = 8;

/** A part of a record in a slot: bases [start, end) of it. */
export interface SlotPart {
  readonly record: RecordDigests;
  readonly start: number;
  readonly end: number;
  /** Whether the record ends here. */
  isLast: boolean;
}

/**
 * Normalised bases of one record after another. They are normalised here, once, and not by the two workers that hash the
 * same bases: it is a tenth of the work.
 */
export class SequenceSlot {
  /** Shared where the runtime has such memory: then nothing is copied for a worker. */
  readonly memory: ArrayBufferLike = new (typeof SharedArrayBuffer === 'function' ? SharedArrayBuffer : ArrayBuffer)(
    SLOT_BYTES,
  );
  readonly #bytes = new Uint8Array(this.memory);
  #parts: SlotPart[] = [];
  #used = 0;

  get parts(): readonly SlotPart[] {
    return this.#parts;
  }

  /** Bytes that are filled, up to the next word. */
  get used(): number {
    return this.#used;
  }

  get isFull(): boolean {
    return this.#used > SLOT_BYTES - MIN_FREE || this.#parts.length === SLOT_PARTS;
  }

  /** Normalises as many of `bytes` as there is place for, while it is not full; returns how many. */
  add(record: RecordDigests, bytes: Uint8Array, keepAsterisk: boolean): number {
    const piece = bytes.subarray(0, Math.min(PIECE_LENGTH, SLOT_BYTES - this.#used));
    const bases = normalizePiece(piece, keepAsterisk);
    const start = this.#used;
    this.#bytes.set(bases, start);
    // To shared memory V8 copies byte by byte, at a tenth of the speed, unless it begins at a multiple of a word.
    this.#used += Math.ceil(bases.length / WORD_BYTES) * WORD_BYTES;
    this.#parts.push({ record, start, end: start + bases.length, isLast: false });
    return piece.length;
  }

  /** Notes that `record` ends, here or with the part before. */
  end(record: RecordDigests): void {
    const last = this.#parts.at(-1);
    if (last?.record === record) last.isLast = true;
    else this.#parts.push({ record, start: this.#used, end: this.#used, isLast: true });
  }

  clear(): void {
    this.#parts = [];
    this.#used = 0;
  }
}
