import { encodeText } from '@htskit/io';
import type { MemoryAccount } from '@htskit/io/internal';
import type { BamInterval } from '../bam/filter.js';
import { samHeaderLines } from '../bam/sam-header.js';
import { locateMemoryError } from '../format-error.js';
import { type BaseIntervals, groupIntervals } from '../records/record-filter.js';
import { ByteCursor } from './byte-cursor.js';
import { CramDecodeBudget } from './container/block.js';
import type { CramContainerHeader } from './container/container-header.js';
import type { CramHeader } from './container/file-header.js';
import { BamWriter } from './output/bam-writer.js';
import { decodeSlice, PIECE_BYTES } from './record/decode-slice.js';
import type { CramReferenceSource } from './reference/reference-window.js';
import { openSliceReference } from './reference/slice-reference.js';
import { selectAll } from './slice/series-selection.js';
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
interface CramDecodeInput {
  readonly header: CramContainerHeader;
  /** Bytes from the start of the file to the blocks, for the offsets of errors. Default: 0. */
  readonly offset?: number;
  /** Passed on to the reference source. Aborting it ends the decoding between two slices. */
  readonly signal?: AbortSignal;
}

/** Decodes the records of a CRAM file. */
export interface CramDecoder {
  /**
   * Yields the records of each slice of a container as uncompressed BAM records, block_size included: those of a slice of more
   * than 12 MiB in pieces of about 1 MiB, which the caller may keep. `blocks` are the bytes that follow the container header.
   * Throws `FormatError` `INVALID_DATA`, `TRUNCATED`, `UNSUPPORTED` and `LIMIT_EXCEEDED`, `MISSING_REFERENCE` if reference
   * bases are not available, `REFERENCE_MISMATCH` if they are not those that the file was written with, and what the reference
   * source throws.
   */
  decode(blocks: Uint8Array, input: CramDecodeInput): AsyncGenerator<Uint8Array, void>;
}

const CONTAINER_BYTES = 2 ** 29;
/** Typical bytes of a BAM record. */
const RECORD_BYTES = 400;
/** The maximum number of bytes that are allocated because of a number of records. */
const MAX_FIRST_BYTES = 2 ** 24;

/**
 * Creates a decoder of CRAM 2.0 to 3.1 to BAM records. Tags that htslib generates, MD and NM, are generated as it does.
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { createCramDecoder, parseCramContainerHeader, parseCramHeader } from '@htskit/formats';
 *
 * const bytes = readFileSync('reads.cram');
 * const header = parseCramHeader(bytes);
 * const decoder = createCramDecoder({ header, reference: async ({ name, start, end }) => fetchBases(name, start, end) });
 * for (let offset = header.byteLength; offset < bytes.length; ) {
 *   const container = parseCramContainerHeader(bytes.subarray(offset), { version: header.version, offset });
 *   if (container === undefined) throw new Error('truncated');
 *   offset += container.headerLength;
 *   const blocks = bytes.subarray(offset, offset + container.length);
 *   for await (const records of decoder.decode(blocks, { header: container, offset })) console.log(records.length);
 *   offset += container.length;
 * }
 *
 * declare function fetchBases(name: string, start: number, end: number): Promise<Uint8Array>;
 * ```
 */
export function createCramDecoder(options: CramDecoderOptions): CramDecoder {
  const { header, reference, namePrefix = 'cram', generateMismatchTags = true, limits = {} } = options;
  const { version, references } = header;
  const readGroups = parseReadGroups(header.text);
  const intervals = options.intervals && groupIntervals(options.intervals, ({ referenceId }) => referenceId);
  const wanted = { bases: true, qualities: true, substitutions: false };
  const common = { references, readGroups, namePrefix, generateMismatchTags, intervals, wanted };
  return {
    async *decode(stored, { header: container, offset = 0, signal }) {
      const { landmarks } = container;
      // Views of a Buffer would be Buffers, which take several times as long to create.
      const blocks = new Uint8Array(stored.buffer, stored.byteOffset, stored.length);
      if (landmarks.length === 0) return;
      const budget = new CramDecodeBudget(limits.containerBytes ?? CONTAINER_BYTES);
      const compression = readCompressionBlock(new ByteCursor(blocks, offset), { version, budget });
      const selection = selectAll(compression);
      for (const [index, landmark] of landmarks.entries()) {
        signal?.throwIfAborted();
        const cursor = new ByteCursor(blocks.subarray(0, landmarks[index + 1]), offset);
        const { sliceBytes: maxBytes, recordBytes } = limits;
        const memory = limits.memory?.openPart();
        const slice = new StoredSlice(cursor, landmark, { version, budget, maxBytes, recordBytes, memory });
        if (intervals !== undefined && !mayOverlap(slice.header, intervals)) continue;
        try {
          const windows = await openSliceReference(slice, { compression, references, source: reference, signal });
          const pieces = decodeSlice({
            openSource: () => ({ slice, compression, series: openSliceSeries(selection, slice) }),
            createSink: () => new BamWriter(slice, firstBytes(slice, intervals)),
            reference: windows,
            ...common,
          });
          for (const writer of pieces) yield writer.take();
        } catch (error) {
          throw locateMemoryError(error, slice.offset);
        } finally {
          memory?.close();
        }
      }
    },
  };
}

/** Returns the bytes of memory that the records of a slice may need. */
function firstBytes(
  { header }: StoredSlice,
  intervals: CramDecoderOptions['intervals'] | ReadonlyMap<number, BaseIntervals>,
): number {
  return intervals === undefined ? Math.min(RECORD_BYTES * header.recordCount, MAX_FIRST_BYTES) : PIECE_BYTES;
}

/** Returns the ids of the `@RG` lines. A last one called UNKNOWN, as htsjdk adds it, marks records without a group. */
function parseReadGroups(text: string): (Uint8Array | undefined)[] {
  const ids = Array.from(samHeaderLines(text, '@RG'), ({ line }) => /\tID:([^\t\0]*)/.exec(line)?.[1] ?? '');
  return ids.map((id, index) => (index === ids.length - 1 && id === 'UNKNOWN' ? undefined : encodeText(id)));
}

/** Returns whether a slice may have records that overlap an interval, by what its header says. */
function mayOverlap(
  { referenceId, alignmentStart, alignmentSpan }: CramSliceHeader,
  intervals: ReadonlyMap<number, BaseIntervals>,
): boolean {
  if (referenceId === -2) return true;
  const selected = intervals.get(referenceId);
  // As in a CRAI index, a slice without start and span may have records anywhere.
  if (selected === undefined || referenceId === -1 || (alignmentStart === 0 && alignmentSpan === 0)) {
    return selected !== undefined;
  }
  return selected.overlaps(alignmentStart - 1, alignmentStart - 1 + Math.max(alignmentSpan, 1));
}
