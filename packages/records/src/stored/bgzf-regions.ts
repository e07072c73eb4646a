import { compareVirtualOffsets, type VirtualRange } from '@htskit/bgzf';
import { type BinningIndex, IndexError, parseBinningIndex, readIndex } from '@htskit/indexes';
import type { ByteRange } from '@htskit/io';
import { type Interval, toDisjoint } from '../region.js';
import type { OpenSource } from '../source/open-source.js';
import type { ProgressMeter } from '../source/progress-meter.js';
import { filterPieces, type Pieces } from './bgzf-stream.js';
import { awaitBlocks, InflatedBlocks } from './inflated-blocks.js';
import { filterIntervals, inFileOrder } from './interval-records.js';
import type { BgzfFormat, FileHeader } from './record-format.js';
import { RecordStarts } from './record-starts.js';
import type { ReadPiecesOptions } from './record-store.js';

/** Chunks whose compressed bytes are at most this far apart are read at once. */
const GAP_BYTES = 65536;

/** Bytes of a typical block. */
const BLOCK_BYTES = 16_384;

/** Bytes of data in one of BAM: two to three. */
const INFLATED_RATIO = 3;

/** Opens a part of the file that workers inflate. */
export type OpenPart = (range: VirtualRange) => Pieces;

/** How the records of intervals are read. */
interface ReadIntervalsOptions
  extends Pick<FileHeader, 'createFilter'>,
    Pick<ReadPiecesOptions, 'signal' | 'mayBeKept'> {
  readonly meter: ProgressMeter | undefined;
  /** Loads what opens parts of so many compressed bytes; undefined if workers are not worth it. */
  readonly loadPart: (byteLength: number) => Promise<OpenPart | undefined>;
}

/** Reads regions of a BGZF file by its index. */
export class BgzfRegions {
  readonly index: BinningIndex;
  readonly #file: OpenSource;
  /** Whether records and the index name references, instead of numbering them as the header does. */
  readonly #isNamed: boolean;
  readonly #inflated: InflatedBlocks;
  readonly #starts: RecordStarts;

  private constructor(file: OpenSource, index: BinningIndex, format: BgzfFormat) {
    this.index = index;
    this.#file = file;
    this.#isNamed = format === 'VCF';
    this.#inflated = new InflatedBlocks(file);
    this.#starts = new RecordStarts(file.cache);
  }

  /** Reads the index of a file. */
  static async open(
    file: OpenSource,
    { source, format }: { readonly source: OpenSource['source']; readonly format: BgzfFormat },
  ): Promise<BgzfRegions> {
    return new BgzfRegions(file, await readIndex(source, parseBinningIndex), format);
  }

  /** Yields the records that overlap an interval. Workers inflate them if they are too many to be kept. */
  async *read(
    intervals: readonly Interval[],
    { signal, createFilter, mayBeKept, meter, loadPart }: ReadIntervalsOptions,
  ): AsyncGenerator<Uint8Array, void> {
    const ranges = (): VirtualRange[] => this.#chunks(intervals, { maxGap: GAP_BYTES });
    const groups = toDisjoint(intervals).map((group) =>
      group.map((interval) => ({ interval, chunks: this.#chunks([interval]) })),
    );
    // Chunks of different intervals may overlap.
    const maxBytes = compressedBytes(groups.flat().flatMap(({ chunks }) => chunks));
    const isKept = INFLATED_RATIO * maxBytes <= this.#file.cache.readingBytes;
    const openPart = isKept ? undefined : await loadPart(compressedBytes(ranges()));
    if (openPart !== undefined) {
      for (const range of ranges()) {
        yield* filterPieces(openPart(range), createFilter(intervals), { isOwned: true });
      }
      return;
    }
    const blocks = this.#inflated.open(ranges, { signal, onBlock: meter?.follow(this.#byteRanges(intervals)) });
    try {
      const options = { blocks, starts: this.#starts, createFilter, mayBeKept };
      yield* awaitBlocks(filterIntervals(inFileOrder(groups), options));
    } finally {
      blocks.close();
    }
  }

  /** Estimates the bytes that the blocks of intervals take. */
  estimateBytes(intervals: readonly Interval[]): number {
    return this.#byteRanges(intervals).reduce((sum, { start, end }) => sum + end - start, 0);
  }

  /** Returns the bytes of the chunks of intervals. Chunks that share a block are joined. */
  #byteRanges(intervals: readonly Interval[]): ByteRange[] {
    return this.#chunks(intervals, { maxGap: 0 }).map(({ start, end }) => ({
      start: start.coffset,
      // How long the last block of a chunk is cannot be known.
      end: end.coffset + (end.uoffset > 0 ? BLOCK_BYTES : 0),
    }));
  }

  #chunks(intervals: readonly Interval[], options: { readonly maxGap?: number } = {}): VirtualRange[] {
    const queries = intervals.map(({ referenceName, referenceId, start, end }) => {
      const indexId = this.#isNamed ? (this.index.referenceId(referenceName) ?? -1) : referenceId;
      return { referenceId: indexId, start, end };
    });
    const chunks = this.index.chunks(queries, options);
    const fileEnd = { coffset: this.#file.size, uoffset: 0 };
    if (chunks.some(({ end }) => compareVirtualOffsets(end, fileEnd) > 0)) {
      const message = `index refers to an offset past the end of the file (${this.#file.size} bytes)`;
      throw new IndexError('INVALID_DATA', message, { offset: 0 });
    }
    return chunks;
  }
}

/** Returns the compressed bytes of ranges, without the blocks that they end in. */
function compressedBytes(ranges: readonly VirtualRange[]): number {
  return ranges.reduce((sum, { start, end }) => sum + end.coffset - start.coffset, 0);
}
