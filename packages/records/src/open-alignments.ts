import { type AlignmentColumnField, type AlignmentColumns, AlignmentRecord } from '@htskit/formats';
import { loadAlignmentColumns } from '#lazy-formats';
import type { AlignmentColumnsOptions } from './columns/alignment-columns.js';
import { openStore } from './open-store.js';
import { type RecordFile, toRecordFile, uint32At } from './record-file.js';
import { type ReferenceOption, toReferenceSource } from './reference/reference-option.js';
import type { Regions } from './region.js';
import type { RecordSource } from './source/open-source.js';
import type { HtsgetSource } from './stored/htsget-store.js';
import type { OpenOptions, RecordStore, StoredFormat, StoreOptions } from './stored/record-store.js';
import { BAM, CRAM } from './stored/stored-format.js';

/** The header of an alignment file. */
export interface AlignmentHeader {
  /** The SAM header. */
  readonly text: string;
  /** By the `referenceId` of records. */
  readonly references: readonly { readonly name: string; readonly length: number }[];
}

/** An open BAM or CRAM file. */
export interface AlignmentFile extends RecordFile<AlignmentHeader, AlignmentRecord> {
  /**
   * Yields the same records as columns: batches of typed arrays of the requested fields and tags, laid out as in Arrow. A batch can
   * be transferred to another thread: each array has memory of its own. Fails as `records` does, also for data that the properties
   * of a record would fail for, and with `FormatError` UNSUPPORTED for a tag that is a number in one record and a text in another.
   *
   * @example
   * ```ts
   * import { openAlignments } from '@htskit/records';
   *
   * const file = await openAlignments('reads.bam');
   * for await (const { length, start, end, cigar } of file.columns('chr1', { fields: ['start', 'end', 'cigar'] })) {
   *   for (let read = 0; read < length; read++) {
   *     const operations = cigar.values.subarray(cigar.offsets[read], cigar.offsets[read + 1]);
   *     console.log(start[read], end[read], operations.length);
   *   }
   * }
   * ```
   */
  columns<Field extends AlignmentColumnField, Tag extends string = never>(
    regions: Regions | undefined,
    options: AlignmentColumnsOptions<Field, Tag>,
  ): AsyncGenerator<AlignmentColumns<Field, Tag>, void>;
}

/** How an alignment file is opened. */
export interface AlignmentOptions extends Omit<OpenOptions, 'reference'> {
  /** The reference bases of CRAM files. Default: only files that need none can be read. */
  readonly reference?: ReferenceOption;
}

/** How a BAM file is opened. */
export interface BamOptions extends StoreOptions {}

/** Bytes of block_size. */
const SIZE_BYTES = 4;

/**
 * Opens a BAM or CRAM file by its URL or path, a source, or `{ htsget: URL }` of a service. Reads the header; the index is read
 * with the first region. Fails with `RecordsError`, and as `records` does.
 *
 * @example
 * ```ts
 * import { openAlignments } from '@htskit/records';
 *
 * const file = await openAlignments('https://data.example.org/reads.bam');
 * for await (const read of file.records({ referenceName: 'chr1', start: 1000, end: 2000 })) {
 *   console.log(read.name, read.start, read.cigarText, read.tag('NM'));
 * }
 * ```
 */
export async function openAlignments(
  source: RecordSource | HtsgetSource,
  options: AlignmentOptions = {},
): Promise<AlignmentFile> {
  const reference = toReferenceSource(options.reference);
  return toAlignmentFile(await openStore(source, ALIGNMENT_FORMATS, { ...options, reference }));
}

/**
 * Opens a BAM file as `openAlignments` does. A bundle in one file then lacks the decoder of CRAM, which is half of it.
 *
 * @example
 * ```ts
 * import { openBam } from '@htskit/records';
 *
 * const file = await openBam('https://data.example.org/reads.bam');
 * console.log(await file.count({ referenceName: 'chr1', start: 1000, end: 2000 }));
 * ```
 */
export async function openBam(source: RecordSource | HtsgetSource, options: BamOptions = {}): Promise<AlignmentFile> {
  return toAlignmentFile(await openStore(source, [BAM], options));
}

/** Formats of alignments. */
export const ALIGNMENT_FORMATS: readonly StoredFormat[] = [BAM, CRAM];

/** Returns the file of an open store of alignments. */
export function toAlignmentFile(store: RecordStore): AlignmentFile {
  const references = Array.from(store.header.references.values(), ({ name, length = 0 }) => ({ name, length }));
  const file = toRecordFile({
    format: store.format,
    header: { text: store.header.text, references },
    references,
    store,
    open(bytes) {
      const first = new AlignmentRecord(bytes);
      return (offset) => first.viewAt(offset);
    },
    recordEnd: (bytes, offset) => offset + SIZE_BYTES + uint32At(bytes, offset),
  });
  return {
    ...file,
    async *columns(regions, options) {
      yield* (await loadAlignmentColumns())(store, regions, options);
    },
  };
}
