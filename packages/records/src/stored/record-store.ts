import type { Region } from '../region.js';
import type { FileHeader } from './record-format.js';

/** How records are read. */
export interface ReadRecordsOptions {
  /** Aborts the reading. */
  readonly signal?: AbortSignal | undefined;
  /** Whether regions of a file without an index are found by reading the whole file. Default: they fail with MISSING_INDEX. */
  readonly scan?: boolean | undefined;
  /** Whether regions of unknown references select nothing. Default: they fail with UNKNOWN_REFERENCE. */
  readonly skipUnknown?: boolean | undefined;
}

/** The formats of files of records, apart from other lines that tabix indexes. */
export type FileFormat = 'BAM' | 'CRAM' | 'VCF' | 'BCF';

/** A source of the records of a file. */
export interface RecordStore {
  readonly header: FileHeader;
  /** The format of the file, or that in which a service delivers it. */
  readonly format: FileFormat | 'tabix';
  /**
   * Yields the records that overlap a region, or all, as uncompressed records of BAM, BCF or VCF: whole records in memory of
   * their own, in the order of the file and each once.
   */
  read(regions: Region | readonly Region[] | undefined, options: ReadRecordsOptions): AsyncGenerator<Uint8Array, void>;
  /** Returns the names of references that the index states; an empty list if it states none. */
  indexedNames?(signal: AbortSignal | undefined): Promise<readonly string[]>;
  close(): Promise<void>;
}
