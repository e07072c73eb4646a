import type { RecordFilter } from '@htskit/formats';
import { loadCram } from '#late-formats';
import type { OpenSource } from '../source/open-source.js';
import { BgzfStore, openBinningIndex, type StoreOptions } from './bgzf-store.js';
import { inflatePieces, type Pieces, takeHeader } from './bgzf-stream.js';
import type { CramOptions } from './cram-store.js';
import {
  BAM_RECORDS,
  BCF_RECORDS,
  type BgzfFormat,
  type FileHeader,
  type RecordFormat,
  VCF_RECORDS,
} from './record-format.js';
import type { FileFormat, ReadRecordsOptions, RecordStore } from './record-store.js';

/** How a file is opened. */
export type OpenOptions = StoreOptions & CramOptions;

/** Reads files and streams of one format. A bundle has the formats that its calls name. */
export interface StoredFormat {
  readonly name: FileFormat;
  /** Reads the header of an open file. */
  open(file: OpenSource, options: OpenOptions): Promise<RecordStore>;
  /** Reads the header at the start of a stream, and ends the stream. */
  readHeader(chunks: Pieces): Promise<FileHeader>;
  /** Yields the uncompressed records of a stream, cut anywhere if there is a `createWholeFilter`. */
  readData(chunks: Pieces, options: CramOptions & Pick<ReadRecordsOptions, 'signal'>): Pieces;
  /** Creates a filter that keeps all records, and yields whole ones. */
  readonly createWholeFilter?: () => RecordFilter;
}

export const BAM: StoredFormat = /* @__PURE__ */ toStoredFormat(BAM_RECORDS);
export const BCF: StoredFormat = /* @__PURE__ */ toStoredFormat(BCF_RECORDS);
export const VCF: StoredFormat = /* @__PURE__ */ toStoredFormat(VCF_RECORDS);

/** Reads CRAM, as BAM records. Its decoder is loaded with the first file. */
export const CRAM: StoredFormat = {
  name: 'CRAM',
  open: async (file, options) => (await loadCram()).open(file, options),
  readHeader: async (chunks) => (await loadCram()).readHeader(chunks),
  async *readData(chunks, options) {
    yield* (await loadCram()).readData(chunks, options);
  },
};

/** Returns a format whose records are stored in BGZF blocks. */
function toStoredFormat(format: RecordFormat<BgzfFormat>): StoredFormat {
  const { name, createWholeFilter, parse } = format;
  return {
    name,
    createWholeFilter,
    open: (file, options) =>
      BgzfStore.open(file, format, { ...options, index: openBinningIndex(file, { ...options, format: name }) }),
    async readHeader(chunks) {
      const { header, rest } = await takeHeader(inflatePieces(chunks), format);
      await rest.return();
      return parse(header);
    },
    async *readData(chunks) {
      const { rest } = await takeHeader(inflatePieces(chunks), format);
      yield* rest;
    },
  };
}
