import { deflateBlocks, type InflatedSpan, type VirtualRange } from '@htskit/bgzf';
import { RangeInflater } from '@htskit/bgzf/internal';
import {
  createBamCondition,
  createBcfToVcf,
  createVcfToBcf,
  type RecordConverter,
  type RecordFilter,
} from '@htskit/formats';
import type { LengthKeys, RecordLimits } from '@htskit/formats/internal';
import {
  type BgzfFormat,
  RECORD_FORMATS,
  type RecordInterval,
  type RecordPieces,
  type RecordRewriting,
} from '../file/record-format.js';
import type { VariantConversion } from '../plan/plan.js';
import { BlockPassThrough } from './block-pass-through.js';
import { type ChunkTransform, OutputBlocks } from './chunk-transform.js';
import { RecordPipeline } from './record-pipeline.js';

/** The records of a range, and what becomes of them. Plain data, so that it can be posted to a worker. */
export interface RecordTransformOptions {
  readonly format: BgzfFormat;
  readonly range: VirtualRange;
  /** Only records that overlap an interval are kept. Default: all records. */
  readonly intervals?: readonly RecordInterval[];
  /** See `CutSegment`. */
  readonly isUnsorted?: boolean;
  /** See `CutSegment`. */
  readonly lengthKeys?: LengthKeys;
  /** Default: records are kept as they are. */
  readonly rewriting?: RecordRewriting;
  /** Default: records keep the format of the file. */
  readonly conversion?: VariantConversion;
  /** Whether the records are sent as text instead of BGZF. */
  readonly isText: boolean;
  /** Compression level, from 0 to 9. */
  readonly level?: number;
}

/** Bytes of output that are sent before the transform continues: stored bytes can expand to a thousand times their size. */
const LONG_OUTPUT_BYTES = 2 ** 20;

/**
 * Inflates the records of a range, filters and rewrites them, and compresses them to full blocks. Blocks whose records are only
 * filtered are passed through if all of them are kept.
 */
export class RecordTransform implements ChunkTransform {
  readonly #inflater: RangeInflater;
  readonly #pipeline: RecordPipeline;
  readonly #output: OutputBlocks;
  /** Undefined if the filter has no end before that of the range. */
  readonly #sortedFilter: RecordFilter | undefined;
  /** Undefined if there is more to do than to filter, so that no block stays as it is. */
  readonly #passThrough: BlockPassThrough | undefined;
  /** The spans of the stored bytes that are not used up. */
  #spans: Iterator<InflatedSpan, void> | undefined;

  constructor(options: RecordTransformOptions, limits: RecordLimits = {}) {
    const { format, range, intervals, isUnsorted, lengthKeys, rewriting, conversion, isText, level } = options;
    const records = RECORD_FORMATS[format];
    const condition = rewriting?.criteria && createBamCondition(rewriting.criteria);
    const isFiltered = intervals !== undefined || condition !== undefined;
    const filter = isFiltered ? records.createFilter(intervals, { ...limits, lengthKeys, condition }) : undefined;
    const stages: readonly RecordPieces[] = [
      filter,
      rewriting && records.createRewriter({ ...rewriting, ...limits }),
      conversion && createVariantConverter(conversion, limits),
    ].filter((stage) => stage !== undefined);
    this.#sortedFilter = isUnsorted === true ? undefined : filter;
    this.#inflater = new RangeInflater(range);
    this.#pipeline = new RecordPipeline(stages);
    this.#output = new OutputBlocks((data) => (isText ? data.slice() : deflateBlocks(data, { level })));
    const isOnlyFiltered = stages.length === 1 && !isText;
    this.#passThrough = isOnlyFiltered && filter !== undefined ? new BlockPassThrough(filter, this.#output) : undefined;
  }

  get isComplete(): boolean {
    return this.#inflater.isComplete || this.#isPast;
  }

  /** Whether no later record is kept. */
  get #isPast(): boolean {
    return this.#sortedFilter?.isPast === true;
  }

  push(chunk: Uint8Array): void {
    this.#spans = this.#inflater.push(chunk);
  }

  advance(): boolean {
    while (this.#spans !== undefined) {
      if (this.#output.byteLength >= LONG_OUTPUT_BYTES) return false;
      const { done, value: span } = this.#spans.next();
      if (done === true) this.#spans = undefined;
      else this.#add(span);
    }
    return true;
  }

  #add(span: InflatedSpan): void {
    const pieces = this.#pipeline.push(span);
    if (this.#passThrough !== undefined) this.#passThrough.add(span, [...pieces]);
    else for (const piece of pieces) this.#output.add(piece);
    if (!this.#isPast) return;
    this.#spans?.return?.();
    this.#spans = undefined;
  }

  finish(): void {
    if (!this.#isPast) {
      this.#inflater.finish();
      const pieces = this.#pipeline.finish();
      if (this.#passThrough !== undefined) this.#passThrough.finish([...pieces]);
      else for (const piece of pieces) this.#output.add(piece);
    }
    this.#output.flush();
  }

  take(): Uint8Array<ArrayBuffer> {
    return this.#output.take();
  }
}

/** Creates the converter of a file's uncompressed records. Throws `FormatError` for a header that declares no columns. */
export function createVariantConverter({ from, input }: VariantConversion, limits?: RecordLimits): RecordConverter {
  return from === 'BCF' ? createBcfToVcf(input, limits) : createVcfToBcf(input, limits);
}
