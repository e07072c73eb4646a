import { type CramDecoder, type CramHeader, createCramDecoder } from '@htskit/formats';
import { isCramEofContainer } from '@htskit/formats/internal';
import { type CraiIndex, parseCrai, readIndex } from '@htskit/indexes';
import { readChunks } from '@htskit/io';
import { readFromStart } from '@htskit/io/internal';
import { type DecodeAheadOptions, decodeAhead } from '../ahead/decode-ahead.js';
import { countWorkers } from '../ahead/worker-count.js';
import { missingIndex, type Regions, toIntervals } from '../region.js';
import { LazyIndex } from '../source/index-source.js';
import { type OpenSource, warnOnce } from '../source/open-source.js';
import { filterPieces } from './bgzf-stream.js';
import { ChunkReader, openContainers, readContainers } from './cram-containers.js';
import { CramRegions } from './cram-regions.js';
import { type FileHeader, knownReferences, toAlignmentHeader } from './record-format.js';
import type { CramOptions, ReadRecordsOptions, RecordStore, StoredFormat, StoreOptions } from './record-store.js';

/** Containers whose bytes are at most this far apart are read at once. */
const GAP_BYTES = 65536;

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
    this.#ahead = { setting, reference, workers };
    const decoding = { reference, ...setting };
    this.#decoder = createCramDecoder(decoding);
    this.#regions = new CramRegions(file, { ...decoding, createFilter: this.header.createFilter });
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
    { signal, scan = false, ...unknown }: ReadRecordsOptions,
  ): AsyncGenerator<Uint8Array, void> {
    if (regions === undefined) return yield* this.#decode(this.#wholeRange(), signal);
    const index = await this.#index.load(signal);
    if (index === undefined && !scan) throw missingIndex();
    const intervals = toIntervals(regions, knownReferences('CRAM', this.header), unknown);
    const ranges = index?.containers(intervals, { maxGap: GAP_BYTES }) ?? [this.#wholeRange()];
    if (index !== undefined && !this.#areForWorkers(ranges)) {
      return yield* this.#regions.read(index, intervals, signal);
    }
    const filter = this.header.createFilter(intervals);
    for (const { start, end } of ranges) yield* filterPieces(this.#decode({ start, end }, signal), filter);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** Returns whether ranges are too long to be kept, so that decoding them again on workers is the fastest. */
  #areForWorkers(ranges: readonly { readonly start: number; readonly end: number | undefined }[]): boolean {
    if (countWorkers(this.#ahead.workers) === 0) return false;
    const byteLength = ranges.reduce((sum, { start, end = this.#file.size }) => sum + end - start, 0);
    return DECODED_RATIO * byteLength > Math.max(this.#file.cache.readingBytes, LONG_BYTES);
  }

  #wholeRange(): { readonly start: number; readonly end: undefined } {
    return { start: this.#cram.byteLength, end: undefined };
  }

  /** Decodes the containers of a range of the file. */
  async *#decode(
    { start, end }: { readonly start: number; readonly end: number | undefined },
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array, void> {
    const { source, size, version } = this.#file;
    const range = { start, end: end ?? Math.max(start, size) };
    const reader = new ChunkReader(readChunks(source.stream(range, { version, signal })), start);
    const options = { ...this.#ahead, decoder: this.#decoder, signal, byteLength: range.end - range.start };
    const isComplete = yield* decodeContainers(reader, options);
    const hasEofContainer = this.#cram.version.major > 2 || this.#cram.version.minor > 0;
    if (end === undefined && hasEofContainer && !isComplete) warnOnce(this.#file, this.#options);
  }
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
    const records = decodeContainers(reader, { setting, reference, workers, decoder, signal });
    yield* filter === undefined ? records : filterPieces(records, filter);
  },
};

/** Decodes containers to BAM records, slice by slice. Returns whether the last one was the EOF container. */
async function* decodeContainers(
  reader: ChunkReader,
  { decoder, ...options }: DecodeAheadOptions & { readonly decoder: CramDecoder },
): AsyncGenerator<Uint8Array, boolean> {
  const { signal } = options;
  let isComplete = false;
  try {
    const containers = readContainers(reader, options.setting.header.version);
    for await (const { container, records } of decodeAhead(containers, options)) {
      signal?.throwIfAborted();
      const { header, blocks, offset } = container;
      isComplete = isCramEofContainer(header);
      if (!isComplete) yield* records ?? decoder.decode(blocks, { header, offset, signal });
    }
  } finally {
    await reader.close();
  }
  return isComplete;
}

/** Returns the name of the file, with which htslib names the records of files without names. */
function nameOf({ location }: OpenSource): string | undefined {
  const path = location instanceof URL ? location.pathname : location;
  return path?.slice(path.lastIndexOf('/') + 1);
}
