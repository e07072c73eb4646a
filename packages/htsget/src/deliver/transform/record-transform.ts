import { BLOCK_DATA_BYTES, deflateBlocks, RangeInflater, type VirtualRange } from '@htskit/bgzf';
import { concatBytes } from '@htskit/io';
import {
  type BgzfFormat,
  RECORD_FORMATS,
  type RecordInterval,
  type RecordPieces,
  type RecordRewriting,
} from '../../file/record-format.js';
import type { LengthKeys } from '../../plan/plan.js';
import { RecordPipeline } from './record-pipeline.js';
import type { ChunkTransform } from './transform.js';

/** The records of a range, and what becomes of them. Plain data, so that it can be posted to a worker. */
export interface RecordTransformOptions {
  readonly format: BgzfFormat;
  readonly range: VirtualRange;
  /** Only records that overlap an interval are kept. Default: all records. */
  readonly intervals?: readonly RecordInterval[] | undefined;
  /** See `CutSegment`. */
  readonly lengthKeys?: LengthKeys | undefined;
  /** Default: records are kept as they are. */
  readonly rewriting?: RecordRewriting | undefined;
  /** Whether the records are sent as text instead of BGZF. */
  readonly isText: boolean;
  /** Compression level, from 0 to 9. */
  readonly level?: number | undefined;
}

/** Inflates the records of a range, filters and rewrites them, and compresses them to full blocks. */
export class RecordTransform implements ChunkTransform {
  readonly #inflater: RangeInflater;
  readonly #pipeline: RecordPipeline;
  readonly #output: OutputBlocks;

  constructor({ format, range, intervals, lengthKeys, rewriting, isText, level }: RecordTransformOptions) {
    const records = RECORD_FORMATS[format];
    const stages: RecordPieces[] = [
      ...(intervals === undefined ? [] : [records.createFilter(intervals, lengthKeys)]),
      ...(rewriting === undefined ? [] : [records.createRewriter(rewriting)]),
    ];
    this.#inflater = new RangeInflater(range);
    this.#pipeline = new RecordPipeline(stages);
    this.#output = new OutputBlocks((data) => (isText ? data.slice() : deflateBlocks(data, { level })));
  }

  get isComplete(): boolean {
    return this.#inflater.isComplete;
  }

  push(chunk: Uint8Array): void {
    for (const span of this.#inflater.push(chunk)) {
      for (const piece of this.#pipeline.push(span)) this.#output.add(piece);
    }
  }

  finish(): void {
    this.#inflater.finish();
    for (const piece of this.#pipeline.finish()) this.#output.add(piece);
    this.#output.flush();
  }

  take(): Uint8Array<ArrayBuffer> {
    return this.#output.take();
  }
}

/** Collects pieces of any size to full blocks. Pieces are copied: they are views of memory that is reused. */
class OutputBlocks {
  readonly #toBytes: (data: Uint8Array) => Uint8Array<ArrayBuffer>;
  /** The data of the block that is not full yet. Allocated with the first piece: most regions are small. */
  #block: Uint8Array<ArrayBuffer> | undefined;
  #byteLength = 0;
  #output: Uint8Array<ArrayBuffer>[] = [];

  constructor(toBytes: (data: Uint8Array) => Uint8Array<ArrayBuffer>) {
    this.#toBytes = toBytes;
  }

  add(piece: Uint8Array): void {
    this.#block ??= new Uint8Array(BLOCK_DATA_BYTES);
    for (let offset = 0; offset < piece.length; ) {
      const part = piece.subarray(offset, offset + BLOCK_DATA_BYTES - this.#byteLength);
      this.#block.set(part, this.#byteLength);
      this.#byteLength += part.length;
      offset += part.length;
      if (this.#byteLength === BLOCK_DATA_BYTES) this.flush();
    }
  }

  flush(): void {
    if (this.#block === undefined || this.#byteLength === 0) return;
    this.#output.push(this.#toBytes(this.#block.subarray(0, this.#byteLength)));
    this.#byteLength = 0;
  }

  /** Returns the bytes since the last call, in memory of their own. */
  take(): Uint8Array<ArrayBuffer> {
    const [first = new Uint8Array(0), ...others] = this.#output;
    this.#output = [];
    return others.length === 0 ? first : concatBytes([first, ...others]);
  }
}
