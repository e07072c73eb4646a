import {
  type CramDecoder,
  type CramDecoderOptions,
  createCramDecoder,
  FormatError,
  type RecordFilter,
} from '@htskit/formats';
import {
  type CramSlice,
  type CramSliceOpener,
  createCramSliceOpener,
  groupIntervals,
  type IntervalsById,
} from '@htskit/formats/internal';
import type { CraiIndex, CraiSlice } from '@htskit/indexes';
import { type ByteRange, checkNotAborted, peek, StorageError, type Weighted } from '@htskit/io';
import { unlessAborted } from '@htskit/io/internal';
import type { Interval } from '../region.js';
import type { CachePart } from '../source/file-cache.js';
import type { OpenSource } from '../source/open-source.js';
import type { ProgressMeter } from '../source/progress-meter.js';
import { ReadAhead } from '../source/read-ahead.js';
import { joinOwned } from './bgzf-stream.js';
import { ChunkReader, type CramContainer, readContainers } from './cram-containers.js';
import type { FileHeader } from './record-format.js';
import type { ReadPiecesOptions } from './record-store.js';

/** Containers whose bytes are at most this far apart are read at once. */
const GAP_BYTES = 65536;

/** The gap that no two containers have: a range for each of them. */
const NO_GAP = -1;

/** The slices of a container are kept if its compressed bytes are at most this part of what the reading may still keep. */
const MAX_PART = 1 / 4;

/** Weight of the list of the slices of a container, and of an entry. */
const ENTRY_BYTES = 512;

/** The reference of a slice that the index names no reference for. */
const UNKNOWN_REFERENCES = -2;

/** How the slices of regions are decoded. */
export interface CramRegionsOptions extends CramDecoderOptions {
  readonly createFilter: FileHeader['createFilter'];
}

/** How regions are read. */
interface ReadCramOptions extends Pick<ReadPiecesOptions, 'signal' | 'mayBeKept'> {
  readonly meter: ProgressMeter | undefined;
}

/** Decodes the slices of regions of a CRAM file, and keeps them. */
export class CramRegions {
  readonly #file: OpenSource;
  readonly #options: CramRegionsOptions;
  readonly #opener: CramSliceOpener;
  /** Slices; undefined for those that are too large to be kept. */
  readonly #kept: CachePart<CramSlice | undefined>;
  /** The starts of the slices of containers. */
  readonly #landmarks: CachePart<readonly number[]>;

  constructor(file: OpenSource, options: CramRegionsOptions) {
    this.#file = file;
    this.#options = options;
    this.#opener = createCramSliceOpener(options);
    this.#kept = file.cache.part('slice');
    this.#landmarks = file.cache.part('container');
  }

  /**
   * Yields the records that overlap an interval, in the order of the file: whole records, in memory of their own unless `mayBeKept`.
   */
  async *read(
    index: CraiIndex,
    intervals: readonly Interval[],
    { signal, mayBeKept = false, meter }: ReadCramOptions,
  ): AsyncGenerator<Uint8Array, void> {
    const rangesOf = (maxGap: number): ByteRange[] =>
      index.containers(intervals, { maxGap }).map(({ start, end = this.#file.size }) => ({ start, end }));
    const stored = new ReadAhead(this.#file, rangesOf(GAP_BYTES), signal);
    const byReference = groupIntervals(intervals, ({ referenceId }) => referenceId);
    let decoder: CramDecoder | undefined;
    const partial = (): CramDecoder => {
      decoder ??= createCramDecoder({ ...this.#options, intervals });
      return decoder;
    };
    // What is kept is not part of the memory of a reading.
    const keepBytes = this.#options.limits?.memory === undefined ? this.#file.cache.readingBytes : 0;
    const filter = this.#options.createFilter(intervals);
    const reading = { stored, byReference, filter, partial, signal, mayBeKept, keepBytes };
    try {
      for (const range of rangesOf(NO_GAP)) {
        const indexed = index.slicesIn(range.start).filter((slice) => mayOverlap(slice, byReference));
        yield* this.#readSlices(range, indexed, reading);
        meter?.add(range.end - range.start);
      }
    } finally {
      stored.close();
    }
  }

  async *#readSlices(
    range: ByteRange,
    indexed: readonly CraiSlice[],
    reading: RegionReading,
  ): AsyncGenerator<Uint8Array, void> {
    const { byReference, filter, partial, signal, mayBeKept } = reading;
    const open = this.#reader(range, reading.stored);
    for (const landmark of await this.#wantedSlices(range, { open, indexed })) {
      checkNotAborted(signal, this.#file.source.key);
      const key = `${range.start}.${landmark}`;
      let slice = this.#kept.get(key);
      if (slice === undefined && range.end - range.start <= MAX_PART * reading.keepBytes) {
        slice = await this.#load(key, () => this.#open(open, landmark), signal);
        reading.keepBytes -= weigh(slice);
      }
      if (slice === undefined) {
        yield* partial().decode(...sliceAt(await open(), { landmark, signal }));
        continue;
      }
      const { byteLength } = slice;
      const kept = Array.from(slice.near(byReference), (page) => filter.push(page)).flat();
      if (slice.byteLength !== byteLength) this.#kept.set(key, slice, weigh(slice));
      if (mayBeKept) yield* kept.map(peek);
      else if (kept.length > 0) yield joinOwned(kept);
    }
  }

  /** Returns a function that reads a container once. */
  #reader(range: ByteRange, stored: ReadAhead): OpenContainer {
    const { version } = this.#options.header;
    const read = async (): Promise<CramContainer> => {
      const chunks = new ChunkReader(chunksOf(await stored.take(range)), range.start);
      const { value } = await readContainers(chunks, version).next();
      if (value !== undefined) return value;
      throw new FormatError('TRUNCATED', 'expected a container, found the end of the file', { offset: range.start });
    };
    let container: Promise<CramContainer> | undefined;
    return () => {
      container ??= read();
      return container;
    };
  }

  /** Returns the starts of the slices that may have records of a region: all, if the index names one that does not exist. */
  async #wantedSlices(
    { start }: ByteRange,
    { open, indexed }: { readonly open: OpenContainer; readonly indexed: readonly CraiSlice[] },
  ): Promise<readonly number[]> {
    let landmarks = this.#landmarks.get(start);
    if (landmarks === undefined) {
      ({ landmarks } = (await open()).header);
      this.#landmarks.set(start, landmarks, ENTRY_BYTES);
    }
    const wanted = new Set(indexed.map(({ sliceOffset }) => sliceOffset));
    const chosen = landmarks.filter((landmark) => wanted.has(landmark));
    return chosen.length === wanted.size ? chosen : landmarks;
  }

  /** Returns a slice that is kept, or that `open` returns. Concurrent callers open it once. */
  async #load(
    key: string,
    open: () => Promise<Weighted<CramSlice | undefined>>,
    signal: AbortSignal | undefined,
  ): Promise<CramSlice | undefined> {
    let isOwn = false;
    const start = (): Promise<Weighted<CramSlice | undefined>> => {
      isOwn = true;
      return open();
    };
    try {
      return await unlessAborted(this.#kept.load(key, start), signal, this.#file.source.key);
    } catch (error) {
      // The caller that reads the slice has aborted, and this one still waits for it.
      const isOthers = !isOwn && signal?.aborted !== true && error instanceof StorageError && error.code === 'ABORTED';
      if (!isOthers) throw error;
      return this.#load(key, open, signal);
    }
  }

  /** Opens a slice; undefined if it is too large to be kept. */
  async #open(open: OpenContainer, landmark: number): Promise<Weighted<CramSlice | undefined>> {
    let value: CramSlice | undefined;
    try {
      // Others may wait for the slice, too: no signal stops its decoding.
      const slices = this.#opener.open(...sliceAt(await open(), { landmark, signal: undefined }));
      for await (const slice of slices) value = slice;
    } catch (error) {
      if (!(error instanceof FormatError && error.code === 'LIMIT_EXCEEDED')) throw error;
    }
    return { value, weight: weigh(value) };
  }
}

/** Returns a container, which is read with the first call. */
type OpenContainer = () => Promise<CramContainer>;

/** A reading of regions. */
interface RegionReading {
  readonly stored: ReadAhead;
  readonly byReference: IntervalsById;
  readonly filter: RecordFilter;
  /** Returns the decoder of the records of the regions alone. */
  readonly partial: () => CramDecoder;
  readonly signal: AbortSignal | undefined;
  readonly mayBeKept: boolean;
  /** Bytes that may still be kept. */
  keepBytes: number;
}

/** Returns whether a slice may have records that overlap an interval, by what the index says of it. */
function mayOverlap({ referenceId, alignmentStart, alignmentSpan }: CraiSlice, intervals: IntervalsById): boolean {
  const selected = intervals.get(referenceId);
  const isAnywhere = referenceId === -1 || (alignmentStart === 0 && alignmentSpan === 0);
  if (referenceId === UNKNOWN_REFERENCES || isAnywhere)
    return referenceId === UNKNOWN_REFERENCES || selected !== undefined;
  const interval = selected?.firstEndingAfter(alignmentStart - 1);
  return interval !== undefined && interval.start < alignmentStart - 1 + Math.max(alignmentSpan, 1);
}

/** Returns the arguments by which one slice of a container is decoded. */
function sliceAt(
  { header, blocks, offset }: CramContainer,
  { landmark, signal }: { readonly landmark: number; readonly signal: AbortSignal | undefined },
): Parameters<CramDecoder['decode']> {
  return [blocks, { header: { ...header, landmarks: [landmark] }, offset, signal }];
}

function weigh(slice: CramSlice | undefined): number {
  return ENTRY_BYTES + (slice?.byteLength ?? 0);
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}
