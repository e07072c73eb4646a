import { deflateBlocks, RangeInflater, type VirtualRange } from '@htskit/bgzf';
import type { RecordFilter } from '@htskit/formats';
import { createVariantConverter, type VariantConversion } from '../../file/conversion.js';
import {
  type BgzfFormat,
  RECORD_FORMATS,
  type RecordInterval,
  type RecordPieces,
  type RecordRewriting,
} from '../../file/record-format.js';
import type { LengthKeys } from '../../plan/plan.js';
import { type ChunkTransform, OutputBlocks } from './chunk-transform.js';
import { RecordPipeline } from './record-pipeline.js';

/** The records of a range, and what becomes of them. Plain data, so that it can be posted to a worker. */
export interface RecordTransformOptions {
  readonly format: BgzfFormat;
  readonly range: VirtualRange;
  /** Only records that overlap an interval are kept. Default: all records. */
  readonly intervals?: readonly RecordInterval[] | undefined;
  /** See `CutSegment`. */
  readonly isUnsorted?: boolean | undefined;
  /** See `CutSegment`. */
  readonly lengthKeys?: LengthKeys | undefined;
  /** Default: records are kept as they are. */
  readonly rewriting?: RecordRewriting | undefined;
  /** Default: records keep the format of the file. */
  readonly conversion?: VariantConversion | undefined;
  /** Whether the records are sent as text instead of BGZF. */
  readonly isText: boolean;
  /** Compression level, from 0 to 9. */
  readonly level?: number | undefined;
}

/** Least data of a block that is passed through. The block before it may have to end early, which costs about 100 bytes. */
const LEAST_PASSED_BYTES = 2 ** 14;

/**
 * Inflates the records of a range, filters and rewrites them, and compresses them to full blocks. Blocks whose records are all
 * kept as they are, without a part of another record, are passed through: compressing them again took a third of the CPU time of a
 * region.
 */
export class RecordTransform implements ChunkTransform {
  readonly #inflater: RangeInflater;
  readonly #pipeline: RecordPipeline;
  readonly #output: OutputBlocks;
  /** Undefined if the filter has no end before that of the range. */
  readonly #sortedFilter: RecordFilter | undefined;
  readonly #isText: boolean;

  constructor(options: RecordTransformOptions) {
    const { format, range, intervals, isUnsorted, lengthKeys, rewriting, conversion, isText, level } = options;
    const records = RECORD_FORMATS[format];
    const filter = intervals && records.createFilter(intervals, lengthKeys);
    const stages: RecordPieces[] = [
      ...(filter === undefined ? [] : [filter]),
      ...(rewriting === undefined ? [] : [records.createRewriter(rewriting)]),
      ...(conversion === undefined ? [] : [createVariantConverter(conversion)]),
    ];
    this.#sortedFilter = isUnsorted === true ? undefined : filter;
    this.#isText = isText;
    this.#inflater = new RangeInflater(range);
    this.#pipeline = new RecordPipeline(stages);
    this.#output = new OutputBlocks((data) => (isText ? data.slice() : deflateBlocks(data, { level })));
  }

  get isComplete(): boolean {
    return this.#inflater.isComplete || this.#isPast;
  }

  /** Whether no later record is kept. */
  get #isPast(): boolean {
    return this.#sortedFilter?.isPast === true;
  }

  push(chunk: Uint8Array): void {
    for (const span of this.#inflater.push(chunk)) {
      for (const piece of this.#pipeline.push(span)) {
        if (span.block !== undefined && this.#isKept(span.data, piece)) this.#output.addBlock(span.block);
        else this.#output.add(piece);
      }
      if (this.#isPast) return;
    }
  }

  /** Whether a piece is the data of a block and worth passing the block through. Rewriters return memory of their own. */
  #isKept(data: Uint8Array, piece: Uint8Array): boolean {
    return (
      !this.#isText &&
      piece.buffer === data.buffer &&
      piece.length === data.length &&
      piece.length >= LEAST_PASSED_BYTES
    );
  }

  finish(): void {
    if (!this.#isPast) {
      this.#inflater.finish();
      for (const piece of this.#pipeline.finish()) this.#output.add(piece);
    }
    this.#output.flush();
  }

  take(): Uint8Array<ArrayBuffer> {
    return this.#output.take();
  }
}
