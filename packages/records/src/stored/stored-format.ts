import type { RecordFilter } from '@htskit/formats';
import { loadCram } from '#late-formats';
import type { OpenSource } from '../source/open-source.js';
import { BgzfStore, openBinningIndex, type StoreOptions } from './bgzf-store.js';
import { filterPieces, inflatePieces, takeHeader } from './bgzf-stream.js';
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
  readHeader(chunks: AsyncGenerator<Uint8Array, void>): Promise<FileHeader>;
  /** Yields the records of a stream that a filter keeps, by default all, uncompressed and whole. */
  readRecords(
    chunks: AsyncGenerator<Uint8Array, void>,
    options: StreamedRecordsOptions,
  ): AsyncGenerator<Uint8Array, void>;
}

/** How the records of a stream are read. */
export interface StreamedRecordsOptions extends CramOptions, Pick<ReadRecordsOptions, 'signal'> {
  readonly filter: RecordFilter | undefined;
}

export const BAM: StoredFormat = /* @__PURE__ */ toStoredFormat(BAM_RECORDS);
export const BCF: StoredFormat = /* @__PURE__ */ toStoredFormat(BCF_RECORDS);
export const VCF: StoredFormat = /* @__PURE__ */ toStoredFormat(VCF_RECORDS);

/** Reads CRAM, as BAM records. Its decoder is loaded with the first file. */
export const CRAM: StoredFormat = {
  name: 'CRAM',
  open: async (file, options) => (await loadCram()).open(file, options),
  readHeader: async (chunks) => (await loadCram()).readHeader(chunks),
  async *readRecords(chunks, options) {
    yield* (await loadCram()).readRecords(chunks, options);
  },
};

/** Returns a format whose records are stored in BGZF blocks. */
function toStoredFormat(format: RecordFormat<BgzfFormat>): StoredFormat {
  const { name, createWholeFilter, parse } = format;
  return {
    name,
    open: (file, options) =>
      BgzfStore.open(file, format, { ...options, index: openBinningIndex(file, { ...options, format: name }) }),
    async readHeader(chunks) {
      const { header, rest } = await takeHeader(inflatePieces(chunks), format);
      await rest.return();
      return parse(header);
    },
    async *readRecords(chunks, { filter = createWholeFilter() }) {
      const { rest } = await takeHeader(inflatePieces(chunks), format);
      yield* filterPieces(rest, filter);
    },
  };
}
