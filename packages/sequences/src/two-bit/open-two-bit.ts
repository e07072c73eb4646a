import type { SequenceDigests } from '@htskit/digest';
import type { TwoBitIndexEntry } from '@htskit/formats';
import type { ByteSource } from '@htskit/io';
import { type DigestCache, findOnce } from '../digest-cache.js';
import type { DigestProgress } from '../digest-progress.js';
import { createDescriber, type NamingOptions } from '../naming.js';
import type { NamedSequence } from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';
import { digestTwoBit, keptTwoBit } from './digest-two-bit.js';
import { TwoBitFile, type TwoBitFileLimits } from './two-bit-file.js';
import { twoBitSequence } from './two-bit-sequence.js';

export interface OpenTwoBitOptions extends NamingOptions {
  /** A 2bit file of UCSC, of either byte order and version. */
  readonly data: ByteSource;
  /** MD5 by name of the sequences that the file is said to hold; see `parseDictionaryDigests`. Others are not checked. */
  readonly expected?: ReadonlyMap<string, string> | undefined;
  /** Keeps the digests, so that the file is not read again while its source tells the same version. */
  readonly keeper?: DigestCache | undefined;
  /** Ends the opening. */
  readonly signal?: AbortSignal | undefined;
  /** Told now and then how far the opening is. */
  readonly onProgress?: ((progress: DigestProgress) => void) | undefined;
  readonly limits?: Partial<TwoBitLimits> | undefined;
}

export type TwoBitLimits = TwoBitFileLimits;

/** 64 MiB are 8 million runs of N. */
const DEFAULT_LIMITS: TwoBitLimits = { sequences: 5_000_000, recordBytes: 2 ** 26 };

/**
 * The sequences of a 2bit file, in the order of its index, as sequences that are served from where they stand. Reads the
 * file once, to digest it. 2bit keeps A, C, G, T and N and turns every other letter into N: a file that `expected` tells
 * is such a copy is refused with DIGEST_MISMATCH. Throws SequenceSourceError, StorageError, FormatError, and RangeError
 * for a naming authority whose identifiers could not be asked for.
 */
export async function openTwoBit(options: OpenTwoBitOptions): Promise<NamedSequence[]> {
  const describe = createDescriber(options);
  const { data, keeper, signal, onProgress, expected = new Map<string, string>() } = options;
  const stat = await data.stat({ signal });
  const file = await TwoBitFile.open({ data, stat, limits: { ...DEFAULT_LIMITS, ...options.limits } }, signal);
  const digested = await findOnce(keeper, {
    stat,
    codec: keptTwoBit(file.entries),
    find: () => digestTwoBit({ file, size: stat.size, signal, onProgress }),
  });
  return file.entries.map((entry, rank) => {
    const digests = checkDigests(entry, digested[rank], expected);
    return twoBitSequence({ file, entry, metadata: describe(entry.name, digests) });
  });
}

function checkDigests(
  { name, offset }: TwoBitIndexEntry,
  digests: SequenceDigests | undefined,
  expected: ReadonlyMap<string, string>,
): SequenceDigests {
  if (digests === undefined) throw new RangeError(`the sequence ${name} has no digests`);
  const md5 = expected.get(name);
  if (md5 === undefined || md5 === digests.md5) return digests;
  const message = `the sequence ${name} is not the one with the MD5 ${md5}: 2bit has no letters but A, C, G, T and N`;
  throw new SequenceSourceError('DIGEST_MISMATCH', message, { offset });
}
