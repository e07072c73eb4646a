import { loadCram, loadInflateAhead } from '#lazy-formats';
import { BgzfStore, openBgzfIndex } from './bgzf-store.js';
import { filterPieces, inflatePieces, takeHeader } from './bgzf-stream.js';
import { BAM_FILE, BCF_FILE, type BgzfFormat, type StoredRecords, VCF_FILE } from './record-format.js';
import type { StoredFormat } from './record-store.js';

export const BAM: StoredFormat = /* @__PURE__ */ toStoredFormat(BAM_FILE);
export const BCF: StoredFormat = /* @__PURE__ */ toStoredFormat(BCF_FILE);
export const VCF: StoredFormat = /* @__PURE__ */ toStoredFormat(VCF_FILE);

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
function toStoredFormat(format: StoredRecords<BgzfFormat>): StoredFormat {
  const { name, reading, parse } = format;
  return {
    name,
    open: (file, options) =>
      BgzfStore.open(file, format, { ...options, index: openBgzfIndex(file, { ...options, format: name }) }),
    async readHeader(chunks) {
      const { header, rest } = await takeHeader(inflatePieces(chunks), reading);
      await rest.return();
      return parse(header);
    },
    async *readRecords(chunks, { filter = reading.createWholeFilter(), workers }) {
      const ahead = workers === 0 ? undefined : (await loadInflateAhead())?.(workers);
      const { rest } = await takeHeader(inflatePieces(chunks, { ahead }), reading);
      yield* filterPieces(rest, filter, { isOwned: ahead !== undefined });
    },
  };
}
