import { FormatError } from '@htskit/formats';
import type { TwoBitIndexEntry, TwoBitRecord } from '@htskit/formats/internal';
import type { ByteSource, SourceStat } from '@htskit/io';
import { TimeSlice } from '@htskit/io/internal';
import { sharedDigestPool } from '../digest/digest-pool.js';
import { type DigestCache, loadOrCompute } from '../digest-cache.js';
import type { NamingOptions } from '../name-tables.js';
import { type FileLocation, openLocation } from '../open-location.js';
import { type NamedSequence, type OpenProgress, type SequenceMetadata, toSequence } from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';
import { NumberColumnBuilder, textAt } from '../table/columns.js';
import { SequenceTable } from '../table/sequence-table.js';
import {
  digestsAt,
  SequenceColumnsBuilder,
  type SequenceTableData,
  toTableData,
  type VersionedTable,
} from '../table/table-data.js';
import { TwoBitFile, type TwoBitLimits } from './two-bit-file.js';

export interface OpenTwoBitOptions extends NamingOptions {
  /** A UCSC 2bit file of either byte order and version. */
  readonly data: FileLocation;
  /** The MD5 by name that sequences must have; see `parseDictionaryDigests`. Sequences of other names are not checked. */
  readonly expected?: ReadonlyMap<string, string>;
  /** Saves the digests, so that reopening the same version of the file does not read it again. */
  readonly digestCache?: DigestCache;
  /** Aborts the opening. */
  readonly signal?: AbortSignal;
  /** Called as the file is read. */
  readonly onProgress?: (progress: OpenProgress) => void;
  readonly limits?: TwoBitLimits;
}

type TwoBitTableOptions = Omit<OpenTwoBitOptions, 'data'> & { readonly data: ByteSource };

/**
 * Opens a 2bit file and returns its sequences, in the order of its index, as sequences that are read in place. Reads the file
 * once, to digest it. 2bit stores A, C, G, T and N, and its writers turn every other letter into N: pass the digests of the
 * original as `expected` to reject such a copy with DIGEST_MISMATCH.
 *
 * Throws SequenceSourceError, StorageError, FormatError, and RangeError for a naming authority that an identifier cannot
 * contain.
 *
 * @example
 * const sequences = await openTwoBit({ data: 'hg38.2bit', namingAuthority: 'ucsc' });
 * const bases = await sequences[0]?.read({ start: 1_000, end: 1_060 });
 */
export async function openTwoBit(options: OpenTwoBitOptions): Promise<NamedSequence[]> {
  const sources = { ...options, data: await openLocation(options.data) };
  return [...(await toTwoBitTable(await readTwoBitTable(sources), sources))];
}

/** Reads all that `toTwoBitTable` needs to know about a file, in time slices. Throws what `openTwoBit` throws. */
export async function readTwoBitTable(options: TwoBitTableOptions): Promise<VersionedTable> {
  const { data, signal, onProgress, expected = new Map<string, string>() } = options;
  const stat = await data.stat({ signal });
  const file = await openFile(options, stat);
  const table = await loadOrCompute(options.digestCache, {
    stat,
    kind: '2bit',
    places: ['offset'],
    signal,
    compute: () => digestTwoBit({ file, size: stat.size, signal, onProgress }),
  });
  if (expected.size > 0) checkDigests(table, expected);
  return { table, version: stat.version };
}

/** Returns the sequences of a table, which are read from the file. */
export async function toTwoBitTable(
  { table, version }: VersionedTable,
  options: TwoBitTableOptions,
): Promise<SequenceTable> {
  const { size } = await options.data.stat({ signal: options.signal });
  const file = await openFile(options, { size, version });
  return new SequenceTable({
    data: table,
    naming: options,
    open: (row, { name, metadata }) => {
      const entry = { name, offset: table.places['offset']?.[row] ?? 0 };
      return twoBitSequence({ file, entry, metadata });
    },
  });
}

function openFile({ data, signal, limits }: TwoBitTableOptions, stat: SourceStat): Promise<TwoBitFile> {
  return TwoBitFile.open({ data, stat, limits }, signal);
}

function checkDigests(table: SequenceTableData, expected: ReadonlyMap<string, string>): void {
  for (let row = 0; row < table.lengths.length; row++) {
    const name = textAt(table.names, row);
    const md5 = expected.get(name);
    const found = md5 === undefined ? undefined : digestsAt(table, row).md5;
    if (found === md5) continue;
    const message = `sequence "${name}" has the MD5 ${found}, expected ${md5}; 2bit stores no letters but A, C, G, T and N`;
    throw new SequenceSourceError('DIGEST_MISMATCH', message, { offset: table.places['offset']?.[row] ?? 0 });
  }
}

interface TwoBitSequenceOptions {
  readonly file: TwoBitFile;
  readonly entry: TwoBitIndexEntry;
  readonly metadata: SequenceMetadata;
}

/** Returns one sequence of a 2bit file. Its record is read with the first bases. */
function twoBitSequence({ file, entry, metadata }: TwoBitSequenceOptions): NamedSequence {
  let record: Promise<TwoBitRecord> | undefined;
  // Loaded without the signal of a request, because other requests may wait for the same record.
  const loadRecord = (): Promise<TwoBitRecord> => {
    record ??= readRecord({ file, entry, metadata }).catch((error: unknown) => {
      record = undefined;
      throw error;
    });
    return record;
  };
  return {
    name: entry.name,
    ...toSequence(metadata, {
      async read(range, options) {
        options.signal?.throwIfAborted();
        if (range.start === range.end) return new Uint8Array(0);
        return file.readBases(await loadRecord(), range, options);
      },
      async *chunks(range, signal) {
        signal?.throwIfAborted();
        yield* file.streamBases(await loadRecord(), range, signal);
      },
    }),
  };
}

async function readRecord({ file, entry, metadata }: TwoBitSequenceOptions): Promise<TwoBitRecord> {
  const record = await file.readRecord(entry);
  if (record.length === metadata.length) return record;
  throw new SequenceSourceError('DATA_MISMATCH', 'the 2bit file has changed since its digests were computed', {
    offset: entry.offset,
  });
}

interface DigestTwoBitOptions {
  readonly file: TwoBitFile;
  /** Bytes of the file. */
  readonly size: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: OpenProgress) => void) | undefined;
}

/**
 * Digests the sequences of a 2bit file, in the order of its index, on all processors and in constant memory. Throws
 * INVALID_DATA for sequences that overlap.
 */
async function digestTwoBit(options: DigestTwoBitOptions): Promise<SequenceTableData> {
  const { file, signal } = options;
  const entries = await file.readEntries(signal);
  const builder = new SequenceColumnsBuilder();
  const offset = new NumberColumnBuilder();
  for (const entry of entries) {
    builder.addName(entry.name);
    offset.push(entry.offset);
  }
  const text = entries.length === 0 ? [] : sharedDigestPool.digestFasta(toFasta(entries, options), { signal });
  for await (const digests of text) builder.addDigests(digests);
  return toTableData(builder.finish(), { places: { offset: offset.finish() }, slice: new TimeSlice(signal) });
}

/** Yields the sequences as FASTA text, the input of the pool. */
async function* toFasta(
  entries: readonly TwoBitIndexEntry[],
  { file, size, signal, onProgress }: DigestTwoBitOptions,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  let bytesRead = 0;
  const count = (bytes: number, entry: TwoBitIndexEntry): void => {
    bytesRead += bytes;
    // Index entries that share the bytes of one long sequence would make a small file take quadratic time.
    if (bytesRead > size) throw new FormatError('INVALID_DATA', 'sequences overlap', entry);
    onProgress?.({ bytesRead, size });
  };
  for (const [index, entry] of entries.entries()) {
    yield encoder.encode(`\n>${index}\n`);
    const record = await file.readRecord(entry, signal);
    count(record.packedOffset - entry.offset, entry);
    for await (const bases of file.streamBases(record, { start: 0, end: record.length }, signal)) {
      yield bases;
      count(Math.ceil(bases.length / 4), entry);
    }
  }
}
