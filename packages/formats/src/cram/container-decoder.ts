import { encodeText } from '@htskit/io';
import type { MemoryAccount } from '@htskit/io/internal';
import type { BamInterval } from '../bam/filter.js';
import { samHeaderLines } from '../bam/sam-header.js';
import { locateMemoryError } from '../format-error.js';
import { groupIntervals, type IntervalsById } from '../records/record-filter.js';
import { ByteCursor } from './byte-cursor.js';
import { CramDecodeBudget } from './container/block.js';
import { BlockMemory } from './container/block-memory.js';
import type { CramCompressionHeader } from './container/compression-header.js';
import type { CramContainerHeader } from './container/container-header.js';
import type { CramHeader } from './container/file-header.js';
import { decodeSlice } from './record/decode-slice.js';
import type { WantedParts } from './record/decoded-read.js';
import { IndexedSlice } from './record/indexed-slice.js';
import type { RecordSink } from './record/record-sink.js';
import type { CramReferenceSource } from './reference/reference-window.js';
import { NO_REFERENCE, openSliceReference, type SliceReference } from './reference/slice-reference.js';
import type { SeriesSelection } from './slice/series-selection.js';
import type { CramSliceHeader } from './slice/slice-header.js';
import { openSliceSeries } from './slice/slice-series.js';
import { readCompressionBlock, StoredSlice } from './slice/stored-slice.js';

/** How the containers of a CRAM file are decoded. */
export interface CramDecoderOptions {
  readonly header: CramHeader;
  /** Returns reference bases. Files that embed their references, or need none, are decoded without it. */
  readonly reference?: CramReferenceSource;
  /** The start of the names of records that were written without names. htslib uses the file name. Default: `cram`. */
  readonly namePrefix?: string;
  /** Whether records without MD and NM get them, if their reference is known. Default: true, as in htslib. */
  readonly generateMismatchTags?: boolean;
  /** Only records that overlap an interval are decoded, as `createBamFilter` keeps them. Default: all records. */
  readonly intervals?: readonly BamInterval[];
  readonly limits?: CramDecoderLimits;
}

interface CramDecoderLimits {
  /**
   * The maximum number of bytes that one container decodes to: blocks, reference bases, records, and 16 for each feature.
   * Default: 512 MiB.
   */
  readonly containerBytes?: number;
  /** The maximum number of bytes that are held of a slice while it is decoded: its blocks and its reference. Default: 256 MiB. */
  readonly sliceBytes?: number;
  /** The maximum number of bytes of a record. Default: 256 MiB. */
  readonly recordBytes?: number;
  /** Counts the memory of a slice while it is decoded. Default: it is not counted. */
  readonly memory?: MemoryAccount;
}

/** A container to decode. */
export interface CramDecodeInput {
  readonly header: CramContainerHeader;
  /** Bytes from the start of the file to the blocks, for the offsets of errors. Default: 0. */
  readonly offset?: number;
  /** Passed on to the reference source. Aborting it ends the decoding between two slices. */
  readonly signal?: AbortSignal;
}

/** The data series that are read of the slices of a container. */
export interface DecodePlan {
  readonly selection: SeriesSelection;
  readonly wanted: WantedParts;
  /** Whether bases of the reference are needed. */
  readonly needsReference: boolean;
}

/** The output of decoding a container. */
export interface ContainerOutput<Sink extends RecordSink> {
  plan(compression: CramCompressionHeader): DecodePlan;
  /** Creates what takes the records of a slice. */
  createSink(slice: StoredSlice, compression: CramCompressionHeader): Sink;
}

/** A slice whose records can be decoded. */
interface OpenSlice extends Pick<DecodePlan, 'selection' | 'wanted'> {
  readonly slice: StoredSlice;
  readonly compression: CramCompressionHeader;
  readonly reference: SliceReference;
}

const CONTAINER_BYTES = 2 ** 29;

/** Decodes the slices of the containers of a file, to whatever is wanted of their records. */
export class ContainerDecoder {
  readonly #options: CramDecoderOptions;
  readonly #readGroups: readonly (Uint8Array | undefined)[];
  readonly #intervals: IntervalsById | undefined;
  /** Memory that no slice uses. */
  readonly #spareMemory: BlockMemory[] = [];

  constructor(options: CramDecoderOptions) {
    this.#options = options;
    this.#readGroups = parseReadGroups(options.header.text);
    this.#intervals = options.intervals && groupIntervals(options.intervals, ({ referenceId }) => referenceId);
  }

  /** Yields the sink of a slice whenever its complete records are to be taken. `stored` are the blocks of the container. */
  async *decode<Sink extends RecordSink>(
    stored: Uint8Array,
    input: CramDecodeInput,
    output: ContainerOutput<Sink>,
  ): AsyncGenerator<Sink, void> {
    const { namePrefix = 'cram' } = this.#options;
    const { references } = this.#options.header;
    const readGroups = this.#readGroups;
    const intervals = this.#intervals;
    const opened = this.#open(stored, input, { plan: (compression) => output.plan(compression) });
    for await (const { slice, compression, selection, wanted, reference } of opened) {
      try {
        const openSource = () => ({ slice, compression, series: openSliceSeries(selection, slice) });
        const sink = output.createSink(slice, compression);
        yield* decodeSlice({ references, readGroups, intervals, wanted, reference, sink, openSource, namePrefix });
      } catch (error) {
        throw locateMemoryError(error, slice.offset);
      }
    }
  }

  /** Yields the slices of a container, which outlive its bytes. Throws what `decode` throws. */
  async *index(
    stored: Uint8Array,
    input: CramDecodeInput,
    plan: ContainerOutput<RecordSink>['plan'],
  ): AsyncGenerator<IndexedSlice, void> {
    const { namePrefix = 'cram' } = this.#options;
    const { references } = this.#options.header;
    const readGroups = this.#readGroups;
    const opened = this.#open(stored, input, { plan, isKept: true });
    for await (const { slice, compression, selection, wanted, reference } of opened) {
      const source = { slice, compression, series: openSliceSeries(selection, slice, { isWhole: true }) };
      slice.forgetStored();
      yield new IndexedSlice({ references, readGroups, wanted, reference, source, namePrefix });
    }
  }

  /** Yields the slices of a container, and their references. */
  async *#open(
    stored: Uint8Array,
    { header: container, offset = 0, signal }: CramDecodeInput,
    { plan, isKept = false }: Pick<ContainerOutput<RecordSink>, 'plan'> & { readonly isKept?: boolean },
  ): AsyncGenerator<OpenSlice, void> {
    const { header, reference: source, limits = {} } = this.#options;
    const { version, references } = header;
    const { landmarks } = container;
    // Views of a Buffer would be Buffers, which take several times as long to create.
    const blocks = new Uint8Array(stored.buffer, stored.byteOffset, stored.length);
    if (landmarks.length === 0) return;
    const budget = new CramDecodeBudget(limits.containerBytes ?? CONTAINER_BYTES);
    const compression = readCompressionBlock(new ByteCursor(blocks, offset), { version, budget });
    const { selection, wanted, needsReference } = plan(compression);
    const intervals = this.#intervals;
    for (const [index, landmark] of landmarks.entries()) {
      signal?.throwIfAborted();
      const cursor = new ByteCursor(blocks.subarray(0, landmarks[index + 1]), offset);
      const { sliceBytes: maxBytes, recordBytes } = limits;
      const memory = limits.memory?.openPart();
      const blockMemory = isKept ? undefined : (this.#spareMemory.pop() ?? new BlockMemory());
      const slice = new StoredSlice(cursor, landmark, {
        version,
        budget,
        maxBytes,
        recordBytes,
        memory,
        isKept,
        blockMemory,
      });
      try {
        if (intervals !== undefined && !mayOverlap(slice.header, intervals)) continue;
        const reference = needsReference
          ? await openSliceReference(slice, { compression, references, source, signal })
          : NO_REFERENCE;
        yield { slice, compression, selection, wanted, reference };
      } catch (error) {
        throw locateMemoryError(error, slice.offset);
      } finally {
        memory?.close();
        blockMemory?.reset();
        if (blockMemory !== undefined) this.#spareMemory.push(blockMemory);
      }
    }
  }
}

/** Returns the ids of the `@RG` lines. A last one called UNKNOWN, as htsjdk adds it, marks records without a group. */
function parseReadGroups(text: string): (Uint8Array | undefined)[] {
  const ids = Array.from(samHeaderLines(text, '@RG'), ({ line }) => /\tID:([^\t\0]*)/.exec(line)?.[1] ?? '');
  return ids.map((id, index) => (index === ids.length - 1 && id === 'UNKNOWN' ? undefined : encodeText(id)));
}

/** Returns whether a slice may have records that overlap an interval, by what its header says. */
function mayOverlap(
  { referenceId, alignmentStart, alignmentSpan }: CramSliceHeader,
  intervals: IntervalsById,
): boolean {
  if (referenceId === -2) return true;
  const selected = intervals.get(referenceId);
  // As in a CRAI index, a slice without start and span may have records anywhere.
  if (selected === undefined || referenceId === -1 || (alignmentStart === 0 && alignmentSpan === 0)) {
    return selected !== undefined;
  }
  return selected.overlaps(alignmentStart - 1, alignmentStart - 1 + Math.max(alignmentSpan, 1));
}
