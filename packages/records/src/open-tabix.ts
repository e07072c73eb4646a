import { FormatError, type RecordFilter } from '@htskit/formats';
import {
  createRecordFilter,
  groupIntervals,
  type HeaderReader,
  isPastAll,
  relocateError,
  VCF_LAYOUT,
} from '@htskit/formats/internal';
import { IndexError, type TabixHeader } from '@htskit/indexes';
import { TabixRecords } from '@htskit/indexes/internal';
import { decodeText } from '@htskit/io';
import { checkWorkers } from './ahead/check-workers.js';
import { isHtsget } from './open-store.js';
import { lineEnd, type RecordFile, toRecordFile } from './record-file.js';
import { RecordsError } from './records-error.js';
import { type Interval, missingIndex } from './region.js';
import { openSource, type RecordSource } from './source/open-source.js';
import { BgzfStore, openBgzfIndex } from './stored/bgzf-store.js';
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
  checkWorkers(options.workers);
  const file = await openSource(source, options);
  try {
    const lazyIndex = openBgzfIndex(file, { ...options, index, format: 'VCF' });
    const loaded = await lazyIndex.load(options.signal);
    if (loaded === undefined) throw missingIndex();
    const { tabix } = loaded.index;
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
  let headerLines = 0;
  return {
    name: 'tabix',
    parse(data) {
      return {
        text: decodeText(data),
        references: new Map(),
        createFilter: (intervals) => createTabixFilter(tabix, intervals),
      };
    },
    reading: {
      createHeaderReader: () => createHeaderReader(tabix, (lineCount) => (headerLines = lineCount)),
      createWholeFilter() {
        const records = new TabixRecords(tabix);
        let lineCount = 0;
        return createRecordFilter({
          ...VCF_LAYOUT,
          keeps(bytes, at, end) {
            lineCount++;
            const line = withoutLineEnd(bytes.subarray(at, end));
            const where = (): string => `line ${headerLines + lineCount}: `;
            return located(at, where, () => records.parse(line)) !== undefined;
          },
        });
      },
    },
  };
}

/** Creates a reader of the lines before the first record, whose number it reports. */
function createHeaderReader(tabix: TabixHeader, report: (lineCount: number) => void): HeaderReader {
  let at = 0;
  let lineCount = 0;
  return {
    read(data, { isWhole = false } = {}) {
      while (at < data.length) {
        report(lineCount);
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
  const byName = groupIntervals(intervals, ({ referenceName }) => referenceName);
  return createRecordFilter({
    ...VCF_LAYOUT,
    isPast: () => isPastAll(byName),
    keeps(bytes, at, end) {
      const line = withoutLineEnd(bytes.subarray(at, end));
      // The number of the line is not known.
      const where = (): string => `line ${JSON.stringify(decodeText(line).slice(0, QUOTED_CHARACTERS))}: `;
      const span = located(at, where, () => records.parse(line));
      if (span === undefined) return false;
      const { nameStart, nameEnd, baseStart, baseEnd } = span;
      const interval = byName.get(decodeText(line, nameStart, nameEnd))?.firstEndingAfter(baseStart);
      return interval !== undefined && interval.start < baseEnd;
    },
  });
}

/** Characters of a bad line that an error quotes. */
const QUOTED_CHARACTERS = 60;

/** Calls `parse`, and says in its error which line is bad: that at `offset`. */
function located<T>(offset: number, where: () => string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof FormatError ? relocateError(error, offset, where()) : error;
  }
}
