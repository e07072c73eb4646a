import {
  type AlignmentColumnField,
  type AlignmentColumns,
  type CramDecoder,
  type CramDecoderOptions,
  type CramHeader,
  createCramDecoder,
} from '@htskit/formats';
import { createCramColumnDecoder, GrowingAlignments, isCramEofContainer } from '@htskit/formats/internal';
import { type CraiIndex, parseCrai, readIndex } from '@htskit/indexes';
import { readChunks } from '@htskit/io';
import { readFromStart } from '@htskit/io/internal';
import { type DecodeAheadOptions, decodeAhead } from '../ahead/decode-ahead.js';
import { countWorkers } from '../ahead/worker-count.js';
import { fillColumns } from '../columns/alignment-columns.js';
import { type Interval, missingIndex, type Regions, toIntervals } from '../region.js';
import { LazyIndex } from '../source/index-source.js';
import { type OpenSource, warnOnce } from '../source/open-source.js';
import { type OnProgress, ProgressMeter } from '../source/progress-meter.js';
import { filterPieces } from './bgzf-stream.js';
import { ChunkReader, type CramContainer, openContainers, readContainers } from './cram-containers.js';
import { CramRegions } from './cram-regions.js';
import { type FileHeader, knownReferences, toAlignmentHeader } from './record-format.js';
import type {
  ColumnRequest,
  CramOptions,
  ReadPiecesOptions,
  ReadRecordsOptions,
  RecordStore,
  StoredFormat,
  StoreOptions,
} from './record-store.js';

/** Containers whose bytes are at most this far apart are read at once. */
const GAP_BYTES = 65536;

/** Containers of regions of at most this many bytes are decoded to records, which are kept for the regions around. */
const KEPT_BYTES = 2 ** 22;

/** Bytes of records in one of CRAM: four to five in files of short reads. */
const DECODED_RATIO = 4;

/** Bytes of records that are worth a worker: of ten containers or so. */
const LONG_BYTES = 2 ** 25;

/** The records of a CRAM file, as BAM records. */
class CramStore implements RecordStore {
  readonly format = 'CRAM';
  readonly header: FileHeader;
  readonly #file: OpenSource;
  readonly #cram: CramHeader;
  readonly #decoding: CramDecoderOptions;
  readonly #ahead: Omit<DecodeAheadOptions, 'signal'>;
  readonly #decoder: CramDecoder;
  readonly #regions: CramRegions;
  readonly #options: StoreOptions;
  readonly #index: LazyIndex<CraiIndex>;

  private constructor(file: OpenSource, cram: CramHeader, options: StoreOptions & CramOptions) {
    this.#file = file;
    this.#cram = cram;
    this.header = toAlignmentHeader(cram);
    const { reference, namePrefix = nameOf(file), generateMismatchTags, limits, workers } = options;
    const setting = { header: cram, namePrefix, generateMismatchTags, limits };
    this.#decoding = { reference, ...setting };
    this.#ahead = { setting, reference, workers };
    this.#decoder = createCramDecoder(this.#decoding);
    this.#regions = new CramRegions(file, { ...this.#decoding, createFilter: this.header.createFilter });
    this.#options = options;
    const read = ({ source }: OpenSource): Promise<CraiIndex> => readIndex(source, parseCrai);
    this.#index = new LazyIndex(file, { ...options, format: 'CRAM', read });
  }

  /** Reads the header of an open file. */
  static async open(file: OpenSource, options: StoreOptions & CramOptions): Promise<CramStore> {
    const { header, reader } = await openContainers(readFromStart(file.source, { ...file, signal: options.signal }));
    await reader.close();
    return new CramStore(file, header, options);
  }

  async *read(
    regions: Regions | undefined,
    { signal, scan = false, mayBeKept, onProgress, ...unknown }: ReadPiecesOptions,
  ): AsyncGenerator<Uint8Array, void> {
    if (regions === undefined) {
      const meter = this.#openMeter([this.#wholeRange()], onProgress);
      return yield* this.#decode(this.#wholeRange(), { signal, meter });
    }
    const index = await this.#index.load(signal);
    if (index === undefined && !scan) throw missingIndex();
    const intervals = toIntervals(regions, knownReferences('CRAM', this.header), unknown);
    const ranges = index?.containers(intervals, { maxGap: GAP_BYTES }) ?? [this.#wholeRange()];
    if (index !== undefined && !this.#areForWorkers(ranges)) {
      const meter = onProgress && this.#openMeter(index.containers(intervals), onProgress);
      return yield* this.#regions.read(index, intervals, { signal, mayBeKept, meter });
    }
    const meter = this.#openMeter(ranges, onProgress);
    const filter = this.header.createFilter(intervals);
    for (const range of ranges) yield* filterPieces(this.#decode(range, { signal, meter }), filter);
  }

  /** Decodes the series that the columns need, to columns. Those of short regions are filled from records, which are kept. */
  async *columns<Field extends AlignmentColumnField, Tag extends string>(
    regions: Regions | undefined,
    request: ColumnRequest<Field, Tag>,
  ): AsyncGenerator<AlignmentColumns<Field, Tag>, void> {
    const { signal, scan = false, ...unknown } = request;
    if (regions === undefined) return yield* this.#decodeColumns([this.#wholeRange()], request);
    const index = await this.#index.load(signal);
    if (index === undefined && !scan) throw missingIndex();
    const intervals = toIntervals(regions, knownReferences('CRAM', this.header), unknown);
    const ranges = index?.containers(intervals, { maxGap: GAP_BYTES }) ?? [this.#wholeRange()];
    if (index !== undefined && this.#byteLength(ranges) <= KEPT_BYTES) yield* fillColumns(this, regions, request);
    else yield* this.#decodeColumns(ranges, request, intervals);
  }

  async estimateBytes(regions: Regions | undefined, { signal, ...unknown }: ReadRecordsOptions): Promise<number> {
    if (regions === undefined) return this.#file.size;
    const index = await this.#index.load(signal);
    if (index === undefined) throw missingIndex();
    return this.#byteLength(index.containers(toIntervals(regions, knownReferences('CRAM', this.header), unknown)));
  }

  loadIndex(signal: AbortSignal | undefined): Promise<CraiIndex | undefined> {
    return this.#index.load(signal);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** Returns whether ranges are too long to be kept, so that decoding them again on workers is the fastest. */
  #areForWorkers(ranges: readonly OpenRange[]): boolean {
    if (countWorkers(this.#ahead.workers) === 0) return false;
    return DECODED_RATIO * this.#byteLength(ranges) > Math.max(this.#file.cache.readingBytes, LONG_BYTES);
  }

  #byteLength(ranges: readonly OpenRange[]): number {
    return ranges.reduce((sum, { start, end = this.#file.size }) => sum + end - start, 0);
  }

  #openMeter(ranges: readonly OpenRange[], onProgress: OnProgress | undefined): ProgressMeter | undefined {
    return onProgress && new ProgressMeter(this.#byteLength(ranges), onProgress);
  }

  #wholeRange(): OpenRange {
    return { start: this.#cram.byteLength, end: undefined };
  }

  async *#decodeColumns<Field extends AlignmentColumnField, Tag extends string>(
    ranges: readonly OpenRange[],
    request: ColumnRequest<Field, Tag>,
    intervals?: readonly Interval[],
  ): AsyncGenerator<AlignmentColumns<Field, Tag>, void> {
    const { signal, maxRecords, maxBytes, onProgress } = request;
    const meter = this.#openMeter(ranges, onProgress);
    const columns = new GrowingAlignments(request);
    const decoder = createCramColumnDecoder({ ...this.#decoding, intervals, columns, maxRecords, maxBytes });
    for (const range of ranges) {
      for await (const { header, blocks, offset } of this.#containers(range, { signal, meter })) {
        for await (const _ of decoder.decode(blocks, { header, offset, signal })) yield columns.take();
      }
    }
    if (columns.length > 0) yield columns.take();
  }

  /** Decodes the containers of a range of the file. */
  async *#decode(range: OpenRange, options: ContainersOptions): AsyncGenerator<Uint8Array, void> {
    const { signal } = options;
    const decoding = { ...this.#ahead, decoder: this.#decoder, signal, byteLength: this.#byteLength([range]) };
    yield* decodeContainers(this.#containers(range, options), decoding);
  }

  /** Yields the containers of a range of the file that may have records. */
  async *#containers(
    { start, end }: OpenRange,
    { signal, meter }: ContainersOptions,
  ): AsyncGenerator<CramContainer, void> {
    const { source, size, version } = this.#file;
    const bytes = { start, end: end ?? Math.max(start, size) };
    const stored = readChunks(source.stream(bytes, { version, signal, isBorrowed: true }));
    const chunks = meter === undefined ? stored : meter.chunks(stored);
    const hasEofContainer = this.#cram.version.major > 2 || this.#cram.version.minor > 0;
    yield* recordContainers(new ChunkReader(chunks, start), this.#cram, (isComplete) => {
      if (end === undefined && hasEofContainer && !isComplete) warnOnce(this.#file, this.#options);
    });
  }
}

/** How containers are read. */
interface ContainersOptions {
  readonly signal: AbortSignal | undefined;
  readonly meter: ProgressMeter | undefined;
}

/** Bytes of a file; without an end, those up to the end of the file. */
interface OpenRange {
  readonly start: number;
  readonly end?: number | undefined;
}

/** Reads CRAM, as BAM records. */
export const CRAM_RECORDS: Omit<StoredFormat, 'name'> = {
  open: (file, options) => CramStore.open(file, options),
  async readHeader(chunks) {
    const { header, reader } = await openContainers(chunks);
    await reader.close();
    return toAlignmentHeader(header);
  },
  async *readRecords(chunks, { filter, signal, reference, workers, ...options }) {
    const { header, reader } = await openContainers(chunks);
    const setting = { ...options, header };
    const decoder = createCramDecoder({ reference, ...setting });
    const records = decodeContainers(recordContainers(reader, header), {
      setting,
      reference,
      workers,
      decoder,
      signal,
    });
    yield* filter === undefined ? records : filterPieces(records, filter);
  },
};

/** Yields containers that may have records. `onEnd` gets whether the last one was the EOF container. */
async function* recordContainers(
  reader: ChunkReader,
  { version }: CramHeader,
  onEnd?: (isComplete: boolean) => void,
): AsyncGenerator<CramContainer, void> {
  let isComplete = false;
  try {
    for await (const container of readContainers(reader, version)) {
      isComplete = isCramEofContainer(container.header);
      if (!isComplete) yield container;
    }
  } finally {
    await reader.close();
  }
  onEnd?.(isComplete);
}

/** Decodes containers to BAM records, slice by slice. */
async function* decodeContainers(
  containers: AsyncGenerator<CramContainer, void>,
  { decoder, ...options }: DecodeAheadOptions & { readonly decoder: CramDecoder },
): AsyncGenerator<Uint8Array, void> {
  const { signal } = options;
  for await (const { container, records } of decodeAhead(containers, options)) {
    signal?.throwIfAborted();
    const { header, blocks, offset } = container;
    yield* records ?? decoder.decode(blocks, { header, offset, signal });
  }
}

/** Returns the name of the file, with which htslib names the records of files without names. */
function nameOf({ location }: OpenSource): string | undefined {
  const path = location instanceof URL ? location.pathname : location;
  return path?.slice(path.lastIndexOf('/') + 1);
}
