import { findByte } from '@htskit/formats/internal';
import { iterateRecords, type OpenRecords, type RecordView } from './record-iterator.js';
import type { Regions } from './region.js';
import type { Reference } from './stored/record-format.js';
import type { ReadRecordsOptions, RecordStore } from './stored/record-store.js';

/** A file of records that is open. */
export interface RecordFile<Header, View extends RecordView> {
  /** The format of the file, or that in which a service delivers it. */
  readonly format: RecordStore['format'];
  readonly header: Header;
  /** The header as it is stored: SAM or VCF text, or the first lines of a tabix file. */
  readonly headerText: string;
  /** The references, in the order of the header. */
  readonly references: readonly Reference[];
  /**
   * Iterates over the records that overlap a region, as samtools, bcftools and tabix select them, or over all records, for
   * which no index is needed. The positions of a region are 0-based and half-open, those of a text such as `chr1:1001-2000`
   * 1-based and inclusive. Of several regions, each record comes once and in the order of the file. A record is decoded
   * when its properties are read, and stays valid.
   *
   * Fails with `RecordsError` for an unknown reference, an invalid region, and a region without an index; `StorageError` or
   * `HtsgetClientError` if the file cannot be read or has changed; `BgzfError`, `FormatError` or `IndexError` for invalid data.
   */
  records(regions?: Regions, options?: ReadRecordsOptions): AsyncGenerator<View, void>;
  /**
   * Yields the same records as uncompressed bytes: BAM records of BAM and CRAM, BCF records, or lines. Each piece holds whole
   * records, in memory of its own.
   */
  recordBytes(regions?: Regions, options?: ReadRecordsOptions): AsyncGenerator<Uint8Array, void>;
  /** Counts the same records. */
  count(regions?: Regions, options?: ReadRecordsOptions): Promise<number>;
  /**
   * Estimates from the index how many bytes of the file the records of regions take, or all. Reading them takes at most about as
   * many, and fewer if a region is shorter than the windows of the index. Undefined for a file of an htsget service. Fails as
   * `records` does.
   */
  estimateBytes(
    regions?: Regions,
    options?: Omit<ReadRecordsOptions, 'scan' | 'onProgress'>,
  ): Promise<number | undefined>;
  /** Closes the file, if it was opened by its path. */
  close(): Promise<void>;
}

/** The parts that a `RecordFile` is made of. */
export interface RecordFileParts<Header, View extends RecordView> {
  readonly format: RecordFile<Header, View>['format'];
  readonly header: Header;
  readonly references: readonly Reference[];
  readonly store: Pick<RecordStore, 'header' | 'read' | 'estimateBytes' | 'close'>;
  readonly open: OpenRecords<View>;
  /** Returns the offset just after the record at an offset. */
  readonly recordEnd: (bytes: Uint8Array, offset: number) => number;
}

export function toRecordFile<Header, View extends RecordView>({
  store,
  open,
  recordEnd,
  ...facts
}: RecordFileParts<Header, View>): RecordFile<Header, View> {
  return {
    ...facts,
    headerText: store.header.text,
    records: (regions, options = {}) => iterateRecords(store.read(regions, { ...options, mayBeKept: true }), open),
    recordBytes: (regions, options = {}) => store.read(regions, options),
    async count(regions, options = {}) {
      let count = 0;
      for await (const bytes of store.read(regions, { ...options, mayBeKept: true })) {
        for (let at = 0; at < bytes.length; at = recordEnd(bytes, at)) count++;
      }
      return count;
    },
    estimateBytes: async (regions, options = {}) => store.estimateBytes?.(regions, options),
    close: () => store.close(),
  };
}

const LINE_FEED = 0x0a;

/** Returns the offset just after the line at an offset, which may end with the data. */
export function lineEnd(bytes: Uint8Array, offset: number): number {
  const lineFeed = findByte(bytes, LINE_FEED, offset);
  return lineFeed === -1 ? bytes.length : lineFeed + 1;
}

/** Reads an unsigned, little-endian 32-bit integer. */
export function uint32At(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
  return a + 2 ** 8 * b + 2 ** 16 * c + 2 ** 24 * d;
}
