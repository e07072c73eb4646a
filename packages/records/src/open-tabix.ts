import type { RecordFilter } from '@htskit/formats';
import { createRecordFilter, type HeaderReader, VCF_LAYOUT } from '@htskit/formats/internal';
import { IndexError, type TabixHeader } from '@htskit/indexes';
import { parseTabixLine, TabixRecords } from '@htskit/indexes/internal';
import { decodeText } from '@htskit/io';
import { isHtsget } from './open-store.js';
import { lineEnd, type RecordFile, toRecordFile } from './record-file.js';
import { RecordsError } from './records-error.js';
import { type Interval, missingIndex } from './region.js';
import { openSource, type RecordSource } from './source/open-source.js';
import { BgzfStore, openBinningIndex } from './stored/bgzf-store.js';
import type { StoredRecords } from './stored/record-format.js';
import type { StoreOptions } from './stored/record-store.js';
import { TabixRecord, withoutLineEnd } from './tabix-record.js';

/** How the lines of a tabix file are read, and the lines before the records. */
export interface TabixFileHeader extends TabixHeader {
  /** The lines at the start of the file that are not records. */
  readonly text: string;
}

/** An open tabix file. */
export type TabixFile = RecordFile<TabixFileHeader, TabixRecord>;

/** How a tabix file is opened. */
export interface TabixOptions extends Omit<StoreOptions, 'index'> {}

/**
 * Opens a file of lines that was compressed by bgzip and indexed by tabix: BED, GFF, GTF or any other. The index, which states
 * the columns, is read first; by default it is the TBI or CSI beside the file. Fails as `openAlignments` does. A file of an htsget
 * service is an UNSUPPORTED_SOURCE, because the protocol has no such formats.
 *
 * @example
 * ```ts
 * import { openTabix } from '@htskit/records';
 *
 * const genes = await openTabix('genes.gff.gz', 'genes.gff.gz.tbi');
 * for await (const { columns } of genes.records({ referenceName: 'chr1', start: 1000, end: 2000 })) console.log(columns[2]);
 * ```
 */
export async function openTabix(
  source: RecordSource,
  index?: RecordSource,
  options: TabixOptions = {},
): Promise<TabixFile> {
  if (isHtsget(source)) {
    const message =
      'htsget delivers BAM, CRAM, VCF and BCF only: open a tabix file by its URL, variants by openVariants';
    throw new RecordsError('UNSUPPORTED_SOURCE', message);
  }
  const file = await openSource(source, options);
  try {
    const lazyIndex = openBinningIndex(file, { ...options, index, format: 'VCF' });
    const loaded = await lazyIndex.load(options.signal);
    if (loaded === undefined) throw missingIndex();
    const { tabix } = loaded;
    if (tabix === undefined) throw new IndexError('INVALID_DATA', 'expected the index of a text file', { offset: 0 });
    const store = await BgzfStore.open(file, createTabixFormat(tabix), { ...options, index: lazyIndex });
    return toRecordFile({
      format: 'tabix',
      header: { ...tabix, text: store.header.text },
      references: tabix.names.map((name) => ({ name, length: undefined })),
      store,
      open: (bytes) => (start) => new TabixRecord(bytes, { start, byteEnd: lineEnd(bytes, start) }, tabix),
      recordEnd: lineEnd,
    });
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Returns the format of the lines that the header of an index describes. */
function createTabixFormat(tabix: TabixHeader): StoredRecords {
  return {
    name: 'tabix',
    parse: (data) => ({
      text: decodeText(data),
      references: new Map(),
      createFilter: (intervals) => createTabixFilter(tabix, intervals),
    }),
    reading: {
      createHeaderReader: () => createHeaderReader(tabix),
      createWholeFilter() {
        const records = new TabixRecords(tabix);
        const keeps = (bytes: Uint8Array, at: number, end: number): boolean =>
          records.includes(withoutLineEnd(bytes.subarray(at, end)));
        return createRecordFilter({ ...VCF_LAYOUT, keeps });
      },
    },
  };
}

/** Creates a reader of the lines before the first record. */
function createHeaderReader(tabix: TabixHeader): HeaderReader {
  let at = 0;
  let lineCount = 0;
  return {
    read(data, { isWhole = false } = {}) {
      while (at < data.length) {
        if (lineCount >= tabix.skippedLines && data[at] !== tabix.metaCharacter) return at;
        const end = lineEnd(data, at);
        if (end === data.length && !isWhole) return undefined;
        at = end;
        lineCount++;
      }
      return isWhole ? at : undefined;
    },
  };
}

function createTabixFilter(tabix: TabixHeader, intervals: readonly Interval[]): RecordFilter {
  const records = new TabixRecords(tabix);
  const byName = new Map<string, Interval[]>();
  for (const interval of intervals) {
    byName.set(interval.referenceName, [...(byName.get(interval.referenceName) ?? []), interval]);
  }
  return createRecordFilter({
    ...VCF_LAYOUT,
    keeps(bytes, at, end) {
      const line = withoutLineEnd(bytes.subarray(at, end));
      if (!records.includes(line)) return false;
      const { nameStart, nameEnd, baseStart, baseEnd } = parseTabixLine(line, tabix);
      const wanted = byName.get(decodeText(line, nameStart, nameEnd)) ?? [];
      return wanted.some((interval) => interval.start < baseEnd && baseStart < interval.end);
    },
  });
}
