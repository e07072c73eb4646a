import { BgzfError, parseBlockHeader, parseGzi } from '@htskit/bgzf';
import { parseFai } from '@htskit/indexes';
import type { ByteSource, SourceStat } from '@htskit/io';
import { type DigestCache, findOnce } from '../digest-cache.js';
import type { DigestProgress } from '../digest-progress.js';
import { createDescriber, type NamingOptions } from '../naming.js';
import type { NamedSequence } from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';
import { bgzfFastaBytes } from './bgzf-fasta-bytes.js';
import { type DigestedFasta, digestFasta } from './digest-fasta.js';
import { plainFastaBytes } from './fasta-bytes.js';
import { fastaSequence } from './fasta-sequence.js';
import { checkFai, checkGzi } from './index-check.js';
import { KEPT_FASTA } from './kept-fasta.js';

export interface OpenFastaOptions extends NamingOptions {
  /** FASTA, plain or compressed by bgzip; which one is seen from its bytes. */
  readonly data: ByteSource;
  /** Its `.fai`, which is checked against the data. */
  readonly fai?: ByteSource | undefined;
  /** Its `.gzi`, which is checked against the data. */
  readonly gzi?: ByteSource | undefined;
  /** Keeps the digests, so that the file is not read again while its source tells the same version. */
  readonly keeper?: DigestCache | undefined;
  /** Ends the opening. */
  readonly signal?: AbortSignal | undefined;
  /** Told now and then how far the opening is. */
  readonly onProgress?: ((progress: DigestProgress) => void) | undefined;
  readonly limits?: Partial<FastaLimits> | undefined;
}

export interface FastaLimits {
  /** Records of one file; more are refused. Each takes about a kilobyte of memory. Default 5,000,000. */
  readonly sequences: number;
  /** Bytes of a `.fai` or `.gzi`; longer ones are refused. Default 512 MiB. */
  readonly indexBytes: number;
  /** Inflated blocks of a bgzipped file that are kept in memory, at most 64 KiB each. Default 64. */
  readonly cachedBlocks: number;
}

const DEFAULT_LIMITS: FastaLimits = { sequences: 5_000_000, indexBytes: 2 ** 29, cachedBlocks: 64 };

/**
 * The records of a FASTA file, in its order, as sequences that are served from where they stand. Reads the file once,
 * to digest it and to find its records and blocks; later reads fail if the source tells that it has changed. Throws
 * SequenceSourceError, StorageError, BgzfError, IndexError for text that is no FASTA or has lines of unequal length, and
 * RangeError for a naming authority whose identifiers could not be asked for.
 */
export async function openFasta(options: OpenFastaOptions): Promise<NamedSequence[]> {
  const describe = createDescriber(options);
  const { data, signal, onProgress } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const stat = await data.stat({ signal });
  const isCompressed = await detectBgzf(data, stat, signal);
  const find = (): Promise<DigestedFasta> =>
    digestFasta({ data, stat, isCompressed, maxSequences: limits.sequences, signal, onProgress });
  const digested = await findOnce(options.keeper, { stat, codec: KEPT_FASTA, find });
  await checkIndexes(options, digested, limits);
  const { records, gzi } = digested;
  const bytes =
    gzi === undefined
      ? plainFastaBytes(data, stat.version)
      : bgzfFastaBytes({ data, version: stat.version, gzi, cachedBlocks: limits.cachedBlocks });
  return records.map(({ record, digests }) =>
    fastaSequence({ metadata: describe(record.name, digests), record, bytes }),
  );
}

/** Whether the file is BGZF. Throws UNSUPPORTED_COMPRESSION for other gzip, whose middle cannot be reached. */
async function detectBgzf(
  data: ByteSource,
  { version }: SourceStat,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const head = await data.read({ start: 0, end: 65_536 }, { signal, version });
  if (head[0] !== 0x1f || head[1] !== 0x8b) return false;
  try {
    parseBlockHeader(head);
    return true;
  } catch (cause) {
    if (!(cause instanceof BgzfError) || cause.code !== 'INVALID_HEADER') throw cause;
    const message = 'the file is compressed by gzip; only what bgzip compresses can be read in parts';
    throw new SequenceSourceError('UNSUPPORTED_COMPRESSION', message, { offset: 0, cause });
  }
}

async function checkIndexes(
  { fai, gzi, signal }: OpenFastaOptions,
  digested: DigestedFasta,
  limits: FastaLimits,
): Promise<void> {
  if (fai !== undefined) {
    checkFai(
      parseFai(await readIndex(fai, limits, signal)),
      digested.records.map(({ record }) => record),
    );
  }
  if (gzi !== undefined && digested.gzi !== undefined) {
    checkGzi(parseGzi(await readIndex(gzi, limits, signal)), digested.gzi, digested.uncompressedLength);
  }
}

async function readIndex(
  source: ByteSource,
  { indexBytes }: FastaLimits,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const { size, version } = await source.stat({ signal });
  if (size > indexBytes) {
    throw new SequenceSourceError('LIMIT_EXCEEDED', `the index is longer than ${indexBytes} bytes`, { offset: 0 });
  }
  return source.read({ start: 0, end: size }, { signal, version });
}
