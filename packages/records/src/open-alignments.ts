import { AlignmentRecord } from '@htskit/formats';
import { openStore } from './open-store.js';
import { type RecordFile, toRecordFile, uint32At } from './record-file.js';
import { type ReferenceOption, toReferenceSource } from './reference/reference-option.js';
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
export type AlignmentFile = RecordFile<AlignmentHeader, AlignmentRecord>;

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
  return toRecordFile({
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
}
