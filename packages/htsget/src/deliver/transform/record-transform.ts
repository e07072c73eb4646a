import { deflateBlocks, RangeInflater, type VirtualRange } from '@htskit/bgzf';
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

/** Inflates the records of a range, filters and rewrites them, and compresses them to full blocks. */
export class RecordTransform implements ChunkTransform {
  readonly #inflater: RangeInflater;
  readonly #pipeline: RecordPipeline;
  readonly #output: OutputBlocks;

  constructor(options: RecordTransformOptions) {
    const { format, range, intervals, lengthKeys, rewriting, conversion, isText, level } = options;
    const records = RECORD_FORMATS[format];
    const stages: RecordPieces[] = [
      ...(intervals === undefined ? [] : [records.createFilter(intervals, lengthKeys)]),
      ...(rewriting === undefined ? [] : [records.createRewriter(rewriting)]),
      ...(conversion === undefined ? [] : [createVariantConverter(conversion)]),
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
