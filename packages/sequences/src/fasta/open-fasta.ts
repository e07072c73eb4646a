import { BgzfError, BgzfReader } from '@htskit/bgzf';
import { parseBlockHeader } from '@htskit/bgzf/internal';
import type { ByteSource, SourceStat } from '@htskit/io';
import { type DigestCache, loadOrCompute } from '../digest-cache.js';
import type { NamingOptions } from '../name-tables.js';
import { type FileLocation, openLocation } from '../open-location.js';
import type { NamedSequence, OpenProgress } from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';
import { SequenceTable } from '../table/sequence-table.js';
import type { VersionedTable } from '../table/table-data.js';
import { checkFai, checkGzi, readGzi } from './check-indexes.js';
import { fastaSequence } from './fasta-sequence.js';
import {
  type FastaRecordOptions,
  gziOf,
  leftOutOf,
  RECORD_PLACES,
  recordAt,
  scanFasta,
  toFaiRecords,
} from './scan-fasta.js';

export interface OpenFastaOptions extends NamingOptions, FastaRecordOptions {
  /** FASTA, plain or compressed by bgzip; its first bytes show which. */
  readonly data: FileLocation;
  /** The `.fai` of the file. It is not needed, but checked against the data. */
  readonly fai?: FileLocation;
  /** The `.gzi` of the file. It is not needed, but checked against the data. */
  readonly gzi?: FileLocation;
  /** Saves the digests, so that reopening the same version of the file does not read it again. */
  readonly digestCache?: DigestCache;
  /** Aborts the opening. */
  readonly signal?: AbortSignal;
  /** Called as the file is read. */
  readonly onProgress?: (progress: OpenProgress) => void;
  readonly limits?: FastaLimits;
}

/** The open files of a FASTA. */
interface FastaSources {
  readonly data: ByteSource;
  readonly fai?: ByteSource;
  readonly gzi?: ByteSource;
}

type FastaTableOptions = Omit<OpenFastaOptions, keyof FastaSources> & FastaSources;

interface FastaLimits {
  /** The maximum number of records of the file, each of which takes about 100 bytes of memory and its name. Default 5,000,000. */
  readonly sequences?: number;
  /** The maximum number of bytes of a `.fai` or `.gzi`. Default 512 MiB. */
  readonly indexBytes?: number;
  /** Bytes of inflated blocks of a bgzipped file to keep in memory. Default 4 MiB, which is 64 blocks. */
  readonly cacheBytes?: number;
}

const DEFAULT_SEQUENCES = 5_000_000;
const DEFAULT_INDEX_BYTES = 2 ** 29;
const DEFAULT_CACHE_BYTES = 2 ** 22;

/** Bytes of the longest BGZF block, which suffice to recognise BGZF. */
const HEAD_BYTES = 65_536;

/**
 * Opens a FASTA file and returns its records, in file order, as sequences that are read in place. Reads the file once, to
 * digest it and to index its records and blocks; later reads fail if the version of the source changes.
 *
 * Throws SequenceSourceError, StorageError, BgzfError, FormatError for text that is not FASTA, IndexError for a malformed index,
 * and RangeError for a naming authority that an identifier cannot contain.
 *
 * @example
 * const sequences = await openFasta({ data: 'genome.fa.gz', namingAuthority: 'example' });
 * const bases = await sequences[0]?.read({ start: 1_000, end: 1_060 });
 */
export async function openFasta(options: OpenFastaOptions): Promise<NamedSequence[]> {
  const { data, fai, gzi } = options;
  const sources: FastaTableOptions = {
    ...options,
    data: await openLocation(data),
    fai: fai === undefined ? undefined : await openLocation(fai),
    gzi: gzi === undefined ? undefined : await openLocation(gzi),
  };
  return [...toFastaTable(await readFastaTable(sources), sources)];
}

/** Reads all that `toFastaTable` needs to know about a FASTA, in time slices. Throws what `openFasta` throws. */
export async function readFastaTable(options: FastaTableOptions): Promise<VersionedTable> {
  const { data, fai, gzi, characters = 'letters', signal, onUnaddressable, limits = {} } = options;
  const { sequences: maxSequences = DEFAULT_SEQUENCES, indexBytes: maxBytes = DEFAULT_INDEX_BYTES } = limits;
  const stat = await data.stat({ signal });
  const isCompressed = await detectBgzf(data, stat, signal);
  const table = await loadOrCompute(options.digestCache, {
    stat,
    kind: `${isCompressed ? 'bgzipped FASTA' : 'FASTA'}, ${characters}`,
    places: RECORD_PLACES,
    signal,
    compute: () => scanFasta({ ...options, onProgress: options.onProgress, signal, stat, isCompressed, maxSequences }),
  });
  const leftOut = leftOutOf(table);
  if (leftOut > 0 && onUnaddressable === undefined) {
    const message = `${leftOut} records cannot be read in place; import the file into a store`;
    throw new SequenceSourceError('UNADDRESSABLE', message, { offset: 0 });
  }
  if (fai !== undefined && leftOut === 0) await checkFai(fai, toFaiRecords(table), { maxBytes, signal });
  const foundGzi = gziOf(table);
  if (gzi !== undefined && foundGzi !== undefined) {
    checkGzi(await readGzi(gzi, { maxBytes, signal }), foundGzi, table.places['textLength']?.[0] ?? 0);
  }
  return { table, version: stat.version };
}

/** Returns the sequences of a table, which are read from the file. Throws RangeError like `openFasta`. */
export function toFastaTable({ table, version }: VersionedTable, options: FastaTableOptions): SequenceTable {
  const { data, characters: policy = 'letters', limits = {} } = options;
  const characters = policy === 'strict' ? 'letters' : policy;
  const { cacheBytes = DEFAULT_CACHE_BYTES } = limits;
  const gzi = gziOf(table);
  const text = gzi === undefined ? data : new BgzfReader(data, { gzi, version, cacheBytes });
  return new SequenceTable({
    data: table,
    naming: options,
    open: (row, { name, metadata }) =>
      fastaSequence({ metadata, record: recordAt(table, row, name), characters, text, version }),
  });
}

/** Returns whether the file is BGZF. Throws UNSUPPORTED_COMPRESSION for other gzip, which has no random access. */
async function detectBgzf(
  data: ByteSource,
  { version }: SourceStat,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const head = await data.read({ start: 0, end: HEAD_BYTES }, { signal, version });
  if (head[0] !== 0x1f || head[1] !== 0x8b) return false;
  try {
    parseBlockHeader(head);
    return true;
  } catch (cause) {
    if (!(cause instanceof BgzfError) || cause.code !== 'INVALID_HEADER') throw cause;
    const message =
      'gzip without BGZF blocks cannot be read in parts; recompress the file with bgzip, or import it into a store';
    throw new SequenceSourceError('UNSUPPORTED_COMPRESSION', message, { offset: 0, cause });
  }
}
