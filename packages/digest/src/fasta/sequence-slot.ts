import type { RecordDigests } from './record-digests.js';

/** Bytes of sequence that are handed out together: a millisecond of hashing, a hundred times what handing out costs. */
const SLOT_BYTES = 2 ** 20;
/** Parts that are handed out together, which bounds the memory where records have few bases or none. */
const SLOT_PARTS = 4096;

/** A part of a record in a slot: bytes [start, end) of it. */
export interface SlotPart {
  readonly record: RecordDigests;
  readonly start: number;
  end: number;
  /** Whether the record ends here. */
  isLast: boolean;
}

/** Sequence of one record after another, as it stands in the FASTA. */
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

  /** Bytes that are filled. */
  get used(): number {
    return this.#used;
  }

  get isFull(): boolean {
    return this.#used === SLOT_BYTES || this.#parts.length === SLOT_PARTS;
  }

  /** Adds as many of `bytes` as there is place for; returns how many. */
  add(record: RecordDigests, bytes: Uint8Array): number {
    const part = bytes.subarray(0, SLOT_BYTES - this.#used);
    this.#bytes.set(part, this.#used);
    this.#used += part.length;
    const last = this.#parts.at(-1);
    if (last?.record === record) last.end = this.#used;
    else this.#parts.push({ record, start: this.#used - part.length, end: this.#used, isLast: false });
    return part.length;
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
