import type { AlignmentColumnField, AlignmentColumns, CramDecoderOptions, RecordFilter } from '@htskit/formats';
import type { BatchLimits, ColumnSelection } from '@htskit/formats/internal';
import type { BinningIndex, CraiIndex } from '@htskit/indexes';
import type { BorrowedBytes } from '@htskit/io';
import type { Regions } from '../region.js';
import type { IndexOptions } from '../source/index-source.js';
import type { OpenSource } from '../source/open-source.js';
import type { OnProgress } from '../source/progress-meter.js';
import type { FileHeader } from './record-format.js';

/** How records are read. */
export interface ReadRecordsOptions {
  /** Aborts the reading. */
  readonly signal?: AbortSignal;
  /** Whether regions of a file without an index are found by reading the whole file. Default: they fail with MISSING_INDEX. */
  readonly scan?: boolean;
  /** Whether regions of unknown references select nothing. Default: they fail with UNKNOWN_REFERENCE. */
  readonly skipUnknown?: boolean;
  /** Called at most once for each chunk, block or container that was read. If all records are taken, the last call has all bytes. */
  readonly onProgress?: OnProgress;
}

/** Throws `RangeError` for an invalid size of batches. */
export function checkMaxRecords(maxRecords: number): void {
  if (Number.isSafeInteger(maxRecords) && maxRecords > 0) return;
  throw new RangeError(`expected a positive integer as maxRecords, found ${maxRecords}`);
}

/** The requested columns, and the size of batches. */
export interface ColumnRequest<Field extends AlignmentColumnField, Tag extends string>
  extends ReadRecordsOptions,
    ColumnSelection<Field, Tag>,
    BatchLimits {}

/** How the pieces of a store are read. */
export interface ReadPiecesOptions extends ReadRecordsOptions {
  /** Whether pieces may be views of memory that is kept, which must not be modified or transferred. Default: they are not. */
  readonly mayBeKept?: boolean;
}

/** The formats of files of records, apart from other lines that tabix indexes. */
export type FileFormat = 'BAM' | 'CRAM' | 'VCF' | 'BCF';

/** A source of the records of a file. */
export interface RecordStore {
  readonly header: FileHeader;
  /** The format of the file, or that in which a service delivers it. */
  readonly format: FileFormat | 'tabix';
  /**
   * Yields the records that overlap a region, or all, as uncompressed records of BAM, BCF or VCF: whole records, by default in
   * memory of their own, in the order of the file and each once.
   */
  read(regions: Regions | undefined, options: ReadPiecesOptions): AsyncGenerator<Uint8Array, void>;
  /** Yields all records as `read` does, in memory that is valid until the next ones are requested. */
  borrowAll?(options: Pick<ReadRecordsOptions, 'signal' | 'onProgress'>): AsyncGenerator<BorrowedBytes, void>;
  /** Yields the same alignments as columns. Default: the columns are filled from what `read` yields. */
  columns?<Field extends AlignmentColumnField, Tag extends string>(
    regions: Regions | undefined,
    request: ColumnRequest<Field, Tag>,
  ): AsyncGenerator<AlignmentColumns<Field, Tag>, void>;
  /** Estimates from the index the bytes that reading regions takes, or all records. Default: they are not known. */
  estimateBytes?(regions: Regions | undefined, options: ReadRecordsOptions): Promise<number>;
  /** Reads the index; undefined if there is none. Default: it is not known. */
  loadIndex?(signal: AbortSignal | undefined): Promise<BinningIndex | CraiIndex | undefined>;
  /** Returns the names of references that the index states; an empty list if it states none. */
  indexedNames?(signal: AbortSignal | undefined): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** How much is read ahead of the caller. */
interface AheadOptions {
  /**
   * The maximum number of workers that inflate or decode long reads of this file, such as whole files, while the caller takes the
   * records. The files of a process share them, at most one for each processor. With 0, and in runtimes without workers, the
   * calling thread does everything, with the same results. Default: 4, or 0 if there is a single processor.
   */
  readonly workers?: number;
}

/** How a stored file is opened. */
export interface StoreOptions extends IndexOptions, AheadOptions {
  readonly signal?: AbortSignal;
  /** Called once for a file that was read to its end and lacks its EOF marker. Default: `console.error`. */
  readonly onWarning?: (warning: Error) => void;
}

/** How the records of CRAM are decoded. */
export interface CramOptions
  extends AheadOptions,
    Pick<CramDecoderOptions, 'reference' | 'namePrefix' | 'generateMismatchTags' | 'limits'> {}

/** How a file is opened. */
export type OpenOptions = StoreOptions & CramOptions;

/** Reads files and streams of one format. A bundle has the formats that its calls name. */
export interface StoredFormat {
  readonly name: FileFormat;
  /** Reads the header of an open file. */
  open(file: OpenSource, options: OpenOptions): Promise<RecordStore>;
  /** Reads the header at the start of a stream, and ends the stream. */
  readHeader(chunks: AsyncGenerator<Uint8Array, void>): Promise<FileHeader>;
  /** Yields the records of a stream that a filter keeps, by default all, uncompressed and whole. */
  readRecords(
    chunks: AsyncGenerator<Uint8Array, void>,
    options: StreamedRecordsOptions,
  ): AsyncGenerator<Uint8Array, void>;
}

/** How the records of a stream are read. */
interface StreamedRecordsOptions extends CramOptions, Pick<ReadRecordsOptions, 'signal'> {
  readonly filter: RecordFilter | undefined;
}
