import { readEofMarker, type VirtualRange } from '@htskit/bgzf';
import type { RecordFilter } from '@htskit/formats';
import type { BinningIndex } from '@htskit/indexes';
import { type BorrowedBytes, readChunks } from '@htskit/io';
import { readFromStart } from '@htskit/io/internal';
import { loadBgzfRegions, loadInflateAhead } from '#lazy-formats';
import type { InflateAhead } from '../ahead/inflate-ahead.js';
import { type Interval, missingIndex, type Regions, splitIntervals, toIntervals } from '../region.js';
import { type IndexOptions, LazyIndex } from '../source/index-source.js';
import { type OpenSource, warnOnce } from '../source/open-source.js';
import { ProgressMeter } from '../source/progress-meter.js';
import type { BgzfRegions, OpenPart } from './bgzf-regions.js';
import { borrowRecords, filterPieces, inflatePieces, type Pieces, takeHeader } from './bgzf-stream.js';
import {
  type BgzfFormat,
  type FileHeader,
  knownReferences,
  type RecordReading,
  type StoredRecords,
} from './record-format.js';
import type { ReadPiecesOptions, ReadRecordsOptions, RecordStore, StoreOptions } from './record-store.js';

/** Compressed bytes that take as long to inflate as a worker takes to start: 40 ms. */
const LONG_BYTES = 2 ** 23;

/** A store's options, with the index that `openBgzfIndex` returns. */
export interface BgzfStoreOptions extends Omit<StoreOptions, 'index'> {
  readonly index: LazyIndex<BgzfRegions>;
}

/** Returns the index of a file, which is read when it is first needed, as is the code that reads regions. */
export function openBgzfIndex(
  file: OpenSource,
  options: IndexOptions & { readonly format: BgzfFormat },
): LazyIndex<BgzfRegions> {
  const { format } = options;
  return new LazyIndex(file, {
    ...options,
    read: async ({ source }) => (await loadBgzfRegions()).open(file, { source, format }),
  });
}

/** How data is read from some place of a file to its end. */
interface PiecesOptions {
  readonly ahead: InflateAhead | undefined;
  readonly signal: AbortSignal | undefined;
  readonly meter: ProgressMeter | undefined;
  /** Whether pieces that workers inflate are borrowed. Default: they are owned. */
  readonly isBorrowed?: boolean;
}

/** The records of a BAM, BCF, bgzipped VCF or tabix file. */
export class BgzfStore implements RecordStore {
  readonly format: RecordStore['format'];
  readonly header: FileHeader;
  readonly #reading: RecordReading;
  readonly #file: OpenSource;
  readonly #options: BgzfStoreOptions;

  private constructor(file: OpenSource, format: StoredRecords, header: FileHeader, options: BgzfStoreOptions) {
    this.format = format.name;
    this.header = header;
    this.#reading = format.reading;
    this.#file = file;
    this.#options = options;
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
    { signal, scan = false, mayBeKept = false, onProgress, ...unknown }: ReadPiecesOptions,
  ): AsyncGenerator<Uint8Array, void> {
    const { size } = this.#file;
    const whole = (ahead?: InflateAhead): Pieces =>
      this.#whole({ ahead, signal, meter: onProgress && new ProgressMeter(size, onProgress) });
    if (regions === undefined) return yield* this.#filter(this.#reading.createWholeFilter(), size, whole);
    const indexed = await this.#options.index.load(signal);
    if (indexed === undefined && !scan) throw missingIndex();
    const intervals = toIntervals(regions, knownReferences(this.format, this.header, indexed?.index), unknown);
    const { createFilter } = this.header;
    if (indexed === undefined) return yield* this.#filter(createFilter(intervals), size, whole);
    const { placed, isUnplaced } = splitIntervals(intervals);
    const meter = onProgress && new ProgressMeter(this.#estimateBytes(indexed, intervals), onProgress);
    const loadPart = async (byteLength: number): Promise<OpenPart | undefined> => {
      const ahead = await this.#loadAhead(byteLength);
      return ahead && ((range) => this.#part(range, { ahead, signal, meter }));
    };
    yield* indexed.read(placed, { createFilter, signal, mayBeKept, meter, loadPart });
    if (isUnplaced) {
      // In a sorted file, all records after the last placed one. Some writers count no unplaced reads in their indexes.
      const unplaced = intervals.filter((interval) => !placed.includes(interval));
      const start = indexed.index.lastPlacedEnd();
      const after = (ahead?: InflateAhead): Pieces =>
        start === undefined ? this.#whole({ ahead, signal, meter }) : this.#part({ start }, { ahead, signal, meter });
      yield* this.#filter(createFilter(unplaced), size - (start?.coffset ?? 0), after);
    }
    meter?.finish();
  }

  async *borrowAll({
    signal,
    onProgress,
  }: Pick<ReadRecordsOptions, 'signal' | 'onProgress'>): AsyncGenerator<BorrowedBytes, void> {
    const { size } = this.#file;
    const meter = onProgress && new ProgressMeter(size, onProgress);
    const pieces = this.#whole({ ahead: await this.#loadAhead(size), signal, meter, isBorrowed: true });
    yield* borrowRecords(pieces, this.#reading.createWholeFilter());
  }

  async estimateBytes(regions: Regions | undefined, { signal, ...unknown }: ReadRecordsOptions): Promise<number> {
    if (regions === undefined) return this.#file.size;
    const indexed = await this.#options.index.load(signal);
    if (indexed === undefined) throw missingIndex();
    const references = knownReferences(this.format, this.header, indexed.index);
    return this.#estimateBytes(indexed, toIntervals(regions, references, unknown));
  }

  async indexedNames(signal: AbortSignal | undefined): Promise<readonly string[]> {
    return (await this.#options.index.load(signal))?.index.tabix?.names ?? [];
  }

  async loadIndex(signal: AbortSignal | undefined): Promise<BinningIndex | undefined> {
    return (await this.#options.index.load(signal))?.index;
  }

  close(): Promise<void> {
    return this.#file.close();
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
  async *#whole(options: PiecesOptions): Pieces {
    const { ahead, signal, isBorrowed = false } = options;
    const { rest } = await takeHeader(inflatePieces(this.#stream(0, options), { ahead, isBorrowed }), this.#reading);
    yield* rest;
    await this.#checkEnd(signal);
  }

  /** Yields the data from an offset to another, which needs workers, or to the end of the file. */
  async *#part({ start, end }: Pick<VirtualRange, 'start'> & Partial<VirtualRange>, options: PiecesOptions): Pieces {
    const { coffset, uoffset: skip } = start;
    const { ahead, signal } = options;
    yield* inflatePieces(this.#stream(coffset, options), { coffset, skip, end, ahead });
    if (end === undefined) await this.#checkEnd(signal);
  }

  /** Workers take the memory of chunks. */
  #stream(start: number, { ahead, signal, meter }: PiecesOptions): AsyncGenerator<Uint8Array, void> {
    const { source, size, version } = this.#file;
    const options = { version, signal, isBorrowed: ahead === undefined };
    const chunks = readChunks(source.stream({ start: Math.min(start, size), end: size }, options));
    return meter === undefined ? chunks : meter.chunks(chunks);
  }

  #estimateBytes(indexed: BgzfRegions, intervals: readonly Interval[]): number {
    const { size } = this.#file;
    const { placed, isUnplaced } = splitIntervals(intervals);
    const unplacedStart = isUnplaced ? (indexed.index.lastPlacedEnd()?.coffset ?? 0) : size;
    return Math.min(size, indexed.estimateBytes(placed) + size - unplacedStart);
  }

  async #checkEnd(signal: AbortSignal | undefined): Promise<void> {
    const { source, size, version } = this.#file;
    if (await readEofMarker(source, size, { version, signal })) return;
    warnOnce(this.#file, this.#options);
  }
}
