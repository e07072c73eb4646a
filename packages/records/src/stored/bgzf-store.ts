import { compareVirtualOffsets, readEofMarker, type VirtualRange } from '@htskit/bgzf';
import type { RecordFilter } from '@htskit/formats';
import { type BinningIndex, IndexError, parseBinningIndex, readIndex } from '@htskit/indexes';
import { type BorrowedBytes, readChunks } from '@htskit/io';
import { readFromStart } from '@htskit/io/internal';
import { loadInflateAhead } from '#lazy-formats';
import type { InflateAhead } from '../ahead/inflate-ahead.js';
import { type Interval, missingIndex, type Regions, splitIntervals, toDisjoint, toIntervals } from '../region.js';
import { type IndexOptions, LazyIndex } from '../source/index-source.js';
import { type OpenSource, warnOnce } from '../source/open-source.js';
import { borrowRecords, filterPieces, inflatePieces, type Pieces, takeHeader } from './bgzf-stream.js';
import { awaitBlocks, InflatedBlocks } from './inflated-blocks.js';
import { filterIntervals, inFileOrder } from './interval-records.js';
import {
  type BgzfFormat,
  type FileHeader,
  knownReferences,
  type RecordReading,
  type StoredRecords,
} from './record-format.js';
import type { ReadPiecesOptions, ReadRecordsOptions, RecordStore, StoreOptions } from './record-store.js';

/** Chunks whose compressed bytes are at most this far apart are read at once. */
const GAP_BYTES = 65536;

/** Bytes of a typical block. */
const BLOCK_BYTES = 16_384;

/** Compressed bytes that take as long to inflate as a worker takes to start: 40 ms. */
const LONG_BYTES = 2 ** 23;

/** Bytes of data in one of BAM: two to three. */
const INFLATED_RATIO = 3;

/** A store's options, with the index that `openBinningIndex` returns. */
export interface BgzfStoreOptions extends Omit<StoreOptions, 'index'> {
  readonly index: LazyIndex<BinningIndex>;
}

/** Returns the index of a file, which is read when it is first needed. */
export function openBinningIndex(
  file: OpenSource,
  options: IndexOptions & { readonly format: BgzfFormat },
): LazyIndex<BinningIndex> {
  return new LazyIndex(file, { ...options, read: ({ source }) => readIndex(source, parseBinningIndex) });
}

/** The records of a BAM, BCF, bgzipped VCF or tabix file. */
export class BgzfStore implements RecordStore {
  readonly format: RecordStore['format'];
  readonly header: FileHeader;
  readonly #reading: RecordReading;
  readonly #file: OpenSource;
  readonly #options: BgzfStoreOptions;
  readonly #inflated: InflatedBlocks;

  private constructor(file: OpenSource, format: StoredRecords, header: FileHeader, options: BgzfStoreOptions) {
    this.format = format.name;
    this.header = header;
    this.#reading = format.reading;
    this.#file = file;
    this.#options = options;
    this.#inflated = new InflatedBlocks(file);
  }

  /** Reads the header of an open file. */
  static async open(file: OpenSource, format: StoredRecords, options: BgzfStoreOptions): Promise<BgzfStore> {
    const { header, rest } = await takeHeader(
      inflatePieces(readFromStart(file.source, { ...file, signal: options.signal })),
      format.reading,
    );
    await rest.return();
    return new BgzfStore(file, format, format.parse(header), options);
  }

  async *read(
    regions: Regions | undefined,
    { signal, scan = false, mayBeKept = false, ...unknown }: ReadPiecesOptions,
  ): AsyncGenerator<Uint8Array, void> {
    const { size } = this.#file;
    const whole = (ahead?: InflateAhead): Pieces => this.#whole(ahead, signal);
    if (regions === undefined) return yield* this.#filter(this.#reading.createWholeFilter(), size, whole);
    const index = await this.#options.index.load(signal);
    if (index === undefined && !scan) throw missingIndex();
    const intervals = toIntervals(regions, knownReferences(this.format, this.header, index), unknown);
    if (index === undefined) return yield* this.#filter(this.header.createFilter(intervals), size, whole);
    const { placed, isUnplaced } = splitIntervals(intervals);
    yield* this.#readPlaced(index, placed, { signal, mayBeKept });
    if (!isUnplaced) return;
    // In a sorted file, all records after the last placed one. Some writers count no unplaced reads in their indexes.
    const unplaced = intervals.filter((interval) => !placed.includes(interval));
    const start = index.lastPlacedEnd();
    const afterPlaced = start && ((ahead?: InflateAhead): Pieces => this.#part({ start }, ahead, signal));
    yield* this.#filter(this.header.createFilter(unplaced), size - (start?.coffset ?? 0), afterPlaced ?? whole);
  }

  async *borrowAll({ signal }: Pick<ReadRecordsOptions, 'signal'>): AsyncGenerator<BorrowedBytes, void> {
    const pieces = this.#whole(await this.#loadAhead(this.#file.size), signal);
    yield* borrowRecords(pieces, this.#reading.createWholeFilter());
  }

  async estimateBytes(regions: Regions | undefined, { signal, ...unknown }: ReadRecordsOptions): Promise<number> {
    const { size } = this.#file;
    if (regions === undefined) return size;
    const index = await this.#options.index.load(signal);
    if (index === undefined) throw missingIndex();
    const intervals = toIntervals(regions, knownReferences(this.format, this.header, index), unknown);
    const { placed, isUnplaced } = splitIntervals(intervals);
    // Chunks that share a block are joined. How long the last block of a chunk is cannot be known.
    const chunks = this.#chunks(index, placed, { maxGap: 0 });
    const lastBlocks = chunks.filter(({ end }) => end.uoffset > 0).length;
    const placedBytes = compressedBytes(chunks) + BLOCK_BYTES * lastBlocks;
    const unplacedStart = isUnplaced ? (index.lastPlacedEnd()?.coffset ?? 0) : size;
    return Math.min(size, placedBytes + size - unplacedStart);
  }

  async indexedNames(signal: AbortSignal | undefined): Promise<readonly string[]> {
    return (await this.#options.index.load(signal))?.tabix?.names ?? [];
  }

  loadIndex(signal: AbortSignal | undefined): Promise<BinningIndex | undefined> {
    return this.#options.index.load(signal);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** Whether records and the index name references, instead of numbering them as the header does. */
  get #isNamed(): boolean {
    return this.format === 'VCF' || this.format === 'tabix';
  }

  /** Yields the records that overlap an interval. Workers inflate them if they are too many to be kept. */
  async *#readPlaced(
    index: BinningIndex,
    intervals: readonly Interval[],
    { signal, mayBeKept }: Pick<ReadPiecesOptions, 'signal' | 'mayBeKept'>,
  ): AsyncGenerator<Uint8Array, void> {
    const ranges = (): VirtualRange[] => this.#chunks(index, intervals, { maxGap: GAP_BYTES });
    const { createFilter } = this.header;
    const groups = toDisjoint(intervals).map((group) =>
      group.map((interval) => ({ interval, chunks: this.#chunks(index, [interval]) })),
    );
    // Chunks of different intervals may overlap.
    const maxBytes = compressedBytes(groups.flat().flatMap(({ chunks }) => chunks));
    const isKept = INFLATED_RATIO * maxBytes <= this.#file.cache.readingBytes;
    const ahead = isKept ? undefined : await this.#loadAhead(compressedBytes(ranges()));
    if (ahead !== undefined) {
      for (const range of ranges()) {
        yield* filterPieces(this.#part(range, ahead, signal), createFilter(intervals), { isOwned: true });
      }
      return;
    }
    const blocks = this.#inflated.open(ranges, signal);
    try {
      yield* awaitBlocks(filterIntervals(inFileOrder(groups), { blocks, createFilter, mayBeKept }));
    } finally {
      blocks.close();
    }
  }

  #chunks(
    index: BinningIndex,
    intervals: readonly Interval[],
    options: { readonly maxGap?: number } = {},
  ): VirtualRange[] {
    const queries = intervals.map(({ referenceName, referenceId, start, end }) => {
      const indexId = this.#isNamed ? (index.referenceId(referenceName) ?? -1) : referenceId;
      return { referenceId: indexId, start, end };
    });
    const chunks = index.chunks(queries, options);
    const fileEnd = { coffset: this.#file.size, uoffset: 0 };
    if (chunks.some(({ end }) => compareVirtualOffsets(end, fileEnd) > 0)) {
      const message = `index refers to an offset past the end of the file (${this.#file.size} bytes)`;
      throw new IndexError('INVALID_DATA', message, { offset: 0 });
    }
    return chunks;
  }

  /** Returns what inflates so many bytes ahead of the caller; undefined if they are not worth it. */
  async #loadAhead(byteLength: number): Promise<InflateAhead | undefined> {
    const { workers } = this.#options;
    return byteLength < LONG_BYTES || workers === 0 ? undefined : (await loadInflateAhead())?.(workers);
  }

  /** Yields what a filter keeps of data of so many compressed bytes, which workers inflate if it is long. */
  async *#filter(
    filter: RecordFilter,
    byteLength: number,
    open: (ahead?: InflateAhead) => Pieces,
  ): AsyncGenerator<Uint8Array, void> {
    const ahead = await this.#loadAhead(byteLength);
    yield* filterPieces(open(ahead), filter, { isOwned: ahead !== undefined });
  }

  /** Yields all data after the header. */
  async *#whole(ahead: InflateAhead | undefined, signal: AbortSignal | undefined): Pieces {
    const { rest } = await takeHeader(inflatePieces(this.#stream(0, signal), { ahead }), this.#reading);
    yield* rest;
    await this.#checkEnd(signal);
  }

  /** Yields the data from an offset to another, which needs workers, or to the end of the file. */
  async *#part(
    { start, end }: Pick<VirtualRange, 'start'> & Partial<VirtualRange>,
    ahead: InflateAhead | undefined,
    signal: AbortSignal | undefined,
  ): Pieces {
    const { coffset, uoffset: skip } = start;
    yield* inflatePieces(this.#stream(coffset, signal), { coffset, skip, end, ahead });
    if (end === undefined) await this.#checkEnd(signal);
  }

  #stream(start: number, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array, void> {
    const { source, size, version } = this.#file;
    return readChunks(source.stream({ start: Math.min(start, size), end: size }, { version, signal }));
  }

  async #checkEnd(signal: AbortSignal | undefined): Promise<void> {
    const { source, size, version } = this.#file;
    if (await readEofMarker(source, size, { version, signal })) return;
    warnOnce(this.#file, this.#options);
  }
}

/** Returns the compressed bytes of ranges, without the blocks that they end in. */
function compressedBytes(ranges: readonly VirtualRange[]): number {
  return ranges.reduce((sum, { start, end }) => sum + end.coffset - start.coffset, 0);
}
