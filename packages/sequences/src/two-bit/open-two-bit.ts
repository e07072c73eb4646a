import type { SequenceDigests } from '@htskit/digest';
import { FormatError, type TwoBitIndexEntry, type TwoBitRecord } from '@htskit/formats';
import { type ByteSource, toByteStream } from '@htskit/io';
import { sharedDigestPool } from '../digest/digest-pool.js';
import {
  type DigestCache,
  type DigestCodec,
  expectList,
  loadOrCompute,
  parseSavedDigests,
  toSavedDigests,
} from '../digest-cache.js';
import { createDescriber, type NamingOptions } from '../name-tables.js';
import {
  type BaseRange,
  checkBaseRange,
  type NamedSequence,
  type OpenProgress,
  type SequenceMetadata,
} from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';
import { TwoBitFile } from './two-bit-file.js';

export interface OpenTwoBitOptions extends NamingOptions {
  /** A UCSC 2bit file of either byte order and version. */
  readonly data: ByteSource;
  /** The MD5 by name that sequences must have; see `parseDictionaryDigests`. Sequences of other names are not checked. */
  readonly expected?: ReadonlyMap<string, string> | undefined;
  /** Saves the digests, so that reopening the same version of the file does not read it again. */
  readonly digestCache?: DigestCache | undefined;
  /** Aborts the opening. */
  readonly signal?: AbortSignal | undefined;
  /** Called as the file is read. */
  readonly onProgress?: ((progress: OpenProgress) => void) | undefined;
  readonly limits?: TwoBitLimits | undefined;
}

export interface TwoBitLimits {
  /** Most sequences of the file. Default 5,000,000. */
  readonly sequences?: number | undefined;
  /** Most bytes of the runs of N of one sequence, 8 for each run. Default 64 MiB. */
  readonly recordBytes?: number | undefined;
}

const DEFAULT_SEQUENCES = 5_000_000;
const DEFAULT_RECORD_BYTES = 2 ** 26;

/**
 * Opens a 2bit file and returns its sequences, in the order of its index, as sequences that are read in place. Reads the file
 * once, to digest it. 2bit stores A, C, G, T and N, and its writers turn every other letter into N: pass the digests of the
 * original as `expected` to reject such a copy with DIGEST_MISMATCH.
 *
 * Throws SequenceSourceError, StorageError, FormatError, and RangeError for a naming authority that an identifier cannot
 * contain.
 *
 * @example
 * const sequences = await openTwoBit({ data: fileSource('hg38.2bit'), namingAuthority: 'ucsc' });
 * const bases = await sequences[0]?.read({ start: 1_000, end: 1_060 });
 */
export async function openTwoBit(options: OpenTwoBitOptions): Promise<NamedSequence[]> {
  const describe = createDescriber(options);
  const { data, signal, onProgress, expected = new Map<string, string>() } = options;
  const { sequences = DEFAULT_SEQUENCES, recordBytes = DEFAULT_RECORD_BYTES } = options.limits ?? {};
  const stat = await data.stat({ signal });
  const file = await TwoBitFile.open({ data, stat, limits: { sequences, recordBytes } }, signal);
  const digested = await loadOrCompute(options.digestCache, {
    stat,
    codec: twoBitCodec(file.entries),
    compute: () => digestTwoBit({ file, size: stat.size, signal, onProgress }),
  });
  return file.entries.map((entry, index) => {
    const digests = checkDigests(entry, digested[index], expected);
    return twoBitSequence({ file, entry, metadata: describe(entry.name, digests) });
  });
}

function checkDigests(
  { name, offset }: TwoBitIndexEntry,
  digests: SequenceDigests | undefined,
  expected: ReadonlyMap<string, string>,
): SequenceDigests {
  if (digests === undefined) throw new RangeError(`sequence "${name}" has no digests`);
  const md5 = expected.get(name);
  if (md5 === undefined || md5 === digests.md5) return digests;
  const message = `sequence "${name}" has the MD5 ${digests.md5}, expected ${md5}; 2bit stores no letters but A, C, G, T and N`;
  throw new SequenceSourceError('DIGEST_MISMATCH', message, { offset });
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
  const streamBases = async function* (range: BaseRange, signal?: AbortSignal): AsyncGenerator<Uint8Array, void> {
    signal?.throwIfAborted();
    yield* file.streamBases(await loadRecord(), range, signal);
  };
  return {
    name: entry.name,
    metadata,
    async read(range, { signal } = {}) {
      checkBaseRange(range, metadata.length);
      signal?.throwIfAborted();
      if (range.start === range.end) return new Uint8Array(0);
      return file.readBases(await loadRecord(), range, signal);
    },
    stream(range, { signal } = {}) {
      checkBaseRange(range, metadata.length);
      return toByteStream(streamBases(range, signal));
    },
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
async function digestTwoBit(options: DigestTwoBitOptions): Promise<SequenceDigests[]> {
  const digests: SequenceDigests[] = [];
  if (options.file.entries.length === 0) return digests;
  const { signal } = options;
  for await (const { name: _, description: __, ...found } of sharedDigestPool.digestFasta(toFasta(options), {
    signal,
  })) {
    digests.push(found);
  }
  return digests;
}

/** Yields the sequences as FASTA text, the input of the pool. */
async function* toFasta({ file, size, signal, onProgress }: DigestTwoBitOptions): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  let bytesRead = 0;
  const count = (bytes: number, entry: TwoBitIndexEntry): void => {
    bytesRead += bytes;
    // Index entries that share the bytes of one long sequence would make a small file take quadratic time.
    if (bytesRead > size) throw new FormatError('INVALID_DATA', 'sequences overlap', entry);
    onProgress?.({ bytesRead, size });
  };
  for (const [index, entry] of file.entries.entries()) {
    yield encoder.encode(`\n>${index}\n`);
    const record = await file.readRecord(entry, signal);
    count(record.packedOffset - entry.offset, entry);
    for await (const bases of file.streamBases(record, { start: 0, end: record.length }, signal)) {
      yield bases;
      count(Math.ceil(bases.length / 4), entry);
    }
  }
}

/** Saves the digests of the sequences with their names, so that the digests of another index are not used for this one. */
function twoBitCodec(entries: readonly TwoBitIndexEntry[]): DigestCodec<SequenceDigests[]> {
  return {
    kind: '2bit',
    toContent: (found) => ({
      names: entries.map(({ name }) => name),
      digests: found.map(toSavedDigests),
    }),
    fromContent({ names, digests }) {
      const [listed, found] = [expectList(names), expectList(digests).map(parseSavedDigests)];
      const isSame = listed.length === entries.length && entries.every(({ name }, index) => listed[index] === name);
      if (isSame && found.length === entries.length) return found;
      throw new Error('the digests do not match the sequences');
    },
  };
}
