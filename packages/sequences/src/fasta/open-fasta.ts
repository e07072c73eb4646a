import { BgzfError, BgzfReader, type GziIndex, parseBlockHeader, parseGzi } from '@htskit/bgzf';
import { type FaiRecord, parseFai } from '@htskit/indexes';
import type { ByteSource, SourceStat } from '@htskit/io';
import { type DigestCache, loadOrCompute } from '../digest-cache.js';
import { createDescriber, type NamingOptions } from '../name-tables.js';
import type { NamedSequence, OpenProgress } from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';
import { fastaSequence } from './fasta-sequence.js';
import {
  type FastaRecordOptions,
  type ScannedFasta,
  type ScannedRecord,
  scanFasta,
  scannedFastaCodec,
} from './scan-fasta.js';

export interface OpenFastaOptions extends NamingOptions, FastaRecordOptions {
  /** FASTA, plain or compressed by bgzip; its first bytes show which. */
  readonly data: ByteSource;
  /** The `.fai` of the file. It is not needed, but checked against the data. */
  readonly fai?: ByteSource | undefined;
  /** The `.gzi` of the file. It is not needed, but checked against the data. */
  readonly gzi?: ByteSource | undefined;
  /** Saves the digests, so that reopening the same version of the file does not read it again. */
  readonly digestCache?: DigestCache | undefined;
  /** Aborts the opening. */
  readonly signal?: AbortSignal | undefined;
  /** Called as the file is read. */
  readonly onProgress?: ((progress: OpenProgress) => void) | undefined;
  readonly limits?: FastaLimits | undefined;
}

export interface FastaLimits {
  /** Most records of the file, each of which takes about a kilobyte of memory. Default 5,000,000. */
  readonly sequences?: number | undefined;
  /** Most bytes of a `.fai` or `.gzi`. Default 512 MiB. */
  readonly indexBytes?: number | undefined;
  /** Bytes of inflated blocks of a bgzipped file to keep in memory. Default 4 MiB, which is 64 blocks. */
  readonly cacheBytes?: number | undefined;
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
 * const sequences = await openFasta({ data: fileSource('genome.fa.gz'), namingAuthority: 'example' });
 * const bases = await sequences[0]?.read({ start: 1_000, end: 1_060 });
 */
export async function openFasta(options: OpenFastaOptions): Promise<NamedSequence[]> {
  const describe = createDescriber(options);
  const { data, signal, onProgress, onRecord, characters = 'letters', limits = {} } = options;
  const { sequences: maxSequences = DEFAULT_SEQUENCES, cacheBytes = DEFAULT_CACHE_BYTES } = limits;
  const stat = await data.stat({ signal });
  const isCompressed = await detectBgzf(data, stat, signal);
  const leftOut = new LeftOutRecords(options);
  const { onUnaddressable } = leftOut;
  const scanned = await loadOrCompute(leftOut.toCache(options.digestCache), {
    stat,
    codec: scannedFastaCodec(characters),
    compute: () =>
      scanFasta({ data, stat, isCompressed, maxSequences, characters, signal, onProgress, onRecord, onUnaddressable }),
  });
  if (leftOut.count === 0) await checkIndexes(options, scanned);
  const { version } = stat;
  const { gzi } = scanned;
  const text = gzi === undefined ? data : new BgzfReader(data, { gzi, version, cacheBytes });
  return scanned.records.map(({ record, digests }) =>
    fastaSequence({
      metadata: describe(record.name, digests),
      record,
      characters: characters === 'strict' ? 'letters' : characters,
      text,
      version,
    }),
  );
}

/** Counts the records that are left out. What was found of a file without them is not saved, so that each opening reports them. */
class LeftOutRecords {
  readonly onUnaddressable: FastaRecordOptions['onUnaddressable'];
  count = 0;

  constructor({ onUnaddressable }: FastaRecordOptions) {
    this.onUnaddressable =
      onUnaddressable &&
      ((digests) => {
        this.count++;
        onUnaddressable(digests);
      });
  }

  toCache(cache: DigestCache | undefined): DigestCache | undefined {
    if (cache === undefined) return undefined;
    return {
      load: () => cache.load(),
      save: async (bytes) => (this.count === 0 ? cache.save(bytes) : undefined),
      onError: (error) => cache.onError(error),
    };
  }
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
    const message = 'gzip without BGZF blocks cannot be read in parts; recompress the file with bgzip';
    throw new SequenceSourceError('UNSUPPORTED_COMPRESSION', message, { offset: 0, cause });
  }
}

async function checkIndexes(options: OpenFastaOptions, scanned: ScannedFasta): Promise<void> {
  const { fai, gzi } = options;
  if (fai !== undefined) {
    checkFai(parseFai(await readIndex(fai, options)), toFai(scanned.records));
  }
  if (gzi !== undefined && scanned.gzi !== undefined) {
    checkGzi(parseGzi(await readIndex(gzi, options)), scanned.gzi, scanned.uncompressedLength);
  }
}

async function readIndex(source: ByteSource, { limits = {}, signal }: OpenFastaOptions): Promise<Uint8Array> {
  const { indexBytes = DEFAULT_INDEX_BYTES } = limits;
  const { size, version } = await source.stat({ signal });
  if (size > indexBytes) {
    const message = `the index has ${size} bytes, more than the limit of ${indexBytes}`;
    throw new SequenceSourceError('LIMIT_EXCEEDED', message, { offset: 0 });
  }
  return source.read({ start: 0, end: size }, { signal, version });
}

/** Returns the records that a `.fai` lists: it counts all printable characters, and the first record of each name only. */
function toFai(scanned: readonly ScannedRecord[]): FaiRecord[] {
  const records = new Map<string, FaiRecord>();
  for (const { record, printed } of scanned) {
    if (!records.has(record.name)) records.set(record.name, { ...record, length: printed });
  }
  return [...records.values()];
}

/**
 * Throws INDEX_MISMATCH unless the records that a `.fai` lists are those of the FASTA. A `.fai` may omit sequences without
 * bases, as those of samtools do.
 */
export function checkFai(listed: readonly FaiRecord[], found: readonly FaiRecord[]): void {
  const names = new Set(listed.map(({ name }) => name));
  const expected = found.filter(({ length, name }) => length > 0 || names.has(name));
  const index = expected.findIndex((record, i) => !isSamePlace(listed[i], record));
  const differing = index === -1 && listed.length > expected.length ? expected.length : index;
  if (differing === -1) return;
  throw new SequenceSourceError('INDEX_MISMATCH', `record ${differing + 1} of the .fai does not match the FASTA`, {
    offset: expected[differing]?.offset ?? 0,
  });
}

/** Ignores the columns that tools write differently: the line end of a single line, and the line length of an empty record. */
function isSamePlace(listed: FaiRecord | undefined, found: FaiRecord): boolean {
  if (listed?.name !== found.name || listed.length !== found.length) return false;
  if (found.length === 0) return true;
  if (listed.offset !== found.offset) return false;
  const isOneLine = found.length <= found.lineBases && found.length <= listed.lineBases;
  return isOneLine || (listed.lineBases === found.lineBases && listed.lineBytes === found.lineBytes);
}

/** Throws INDEX_MISMATCH unless the blocks that a `.gzi` lists are those of the file. Blocks without data are ignored. */
export function checkGzi(listed: GziIndex, found: GziIndex, uncompressedLength: number): void {
  const blocks = blocksWithData(listed, uncompressedLength);
  const index = found.coffsets.findIndex(
    (coffset, i) => blocks[i]?.coffset !== coffset || blocks[i]?.uncompressedOffset !== found.uncompressedOffsets[i],
  );
  const differing = index === -1 && blocks.length > found.coffsets.length ? found.coffsets.length : index;
  if (differing === -1) return;
  throw new SequenceSourceError('INDEX_MISMATCH', `block ${differing + 1} of the .gzi does not match the FASTA`, {
    offset: found.coffsets[differing] ?? 0,
  });
}

interface IndexedBlock {
  readonly coffset: number;
  readonly uncompressedOffset: number;
}

function blocksWithData({ coffsets, uncompressedOffsets }: GziIndex, uncompressedLength: number): IndexedBlock[] {
  const blocks = Array.from(coffsets, (coffset, i) => ({
    coffset,
    uncompressedOffset: uncompressedOffsets[i] ?? 0,
    end: uncompressedOffsets[i + 1] ?? uncompressedLength,
  }));
  // bgzip does not list the block at offset 0, but other tools may.
  return blocks.filter(({ coffset, uncompressedOffset, end }) => coffset > 0 && uncompressedOffset !== end);
}
