import type { StoredFile } from '@htskit/htsget';
import { type ByteSource, LruCache, StorageError } from '@htskit/io';
import type { Datatype } from '@htskit/protocol';
import type { StoreGuard } from '@htskit/storage/guard';
import { type StoredObject, toGuarded } from '../locations/stored-object.js';
import { type Caller, callerOf, callerSource, toCallerError } from './caller.js';
import type { Decrypt, ObjectCatalogue, ObjectEntry, ObjectKind } from './object-catalogue.js';

/** A file that an object has if it exists. */
export interface CandidateFile {
  readonly kind: ObjectKind;
  readonly data: StoredObject;
  /** The possible indexes, in the order of lookup. */
  readonly indexes: readonly StoredObject[];
  /** The bigWig of the depth of an alignment file, if it is elsewhere. Whether it exists is not looked up. */
  readonly coverage?: StoredObject | undefined;
  /** The digests of the plaintext that the store knows. */
  readonly checksums?: StoredFile['checksums'];
}

export interface LookedUpObjectsOptions {
  /** Returns the possible files of an object, in the order of their formats. */
  readonly candidates: (
    id: string,
    datatype: Datatype,
    caller: Caller,
  ) => readonly CandidateFile[] | Promise<readonly CandidateFile[]>;
  /**
   * The headers of requests that lookups depend on, such as `authorization`: each user has lookups and cache keys of their own.
   * Default: none.
   */
  readonly forward?: readonly string[] | undefined;
  /** Returns the guards of the stores that have these files. */
  readonly guards: (id: string, datatype: Datatype) => Iterable<StoreGuard>;
  /** Decrypts the files that are stored encrypted. Without it, there are none among the possible files. */
  readonly decrypt?: Decrypt | undefined;
  readonly list: () => Promise<readonly ObjectEntry[]>;
  readonly close: () => Promise<void>;
  /** Milliseconds since any fixed point in time. Default `performance.now`. */
  readonly now?: () => number;
}

/** How long the result of a lookup is cached, whether or not it found anything. */
const LOOKUP_MILLISECONDS = 10_000;
const MAX_LOOKUPS = 10_000;
/** Longest S3 key. Clients choose ids, which are cached: longer ones are not looked up. */
const MAX_ID_LENGTH = 1024;

/**
 * Finds objects by requesting the metadata of each possible file, so that no listing is needed. A store without permission
 * to list its keys denies access to missing keys: such a file counts as missing if another file of the object exists.
 */
export function lookedUpObjects({
  candidates,
  guards,
  decrypt = (stored) => stored,
  forward = [],
  list,
  close,
  now,
}: LookedUpObjectsOptions): ObjectCatalogue {
  const lookups = new LruCache<readonly StoredFile[] | undefined>({
    maxWeight: MAX_LOOKUPS,
    ttlMilliseconds: LOOKUP_MILLISECONDS,
    now,
  });
  return {
    async resolve(id, datatype, context) {
      if (id.length > MAX_ID_LENGTH) return undefined;
      const caller = await callerOf(forward, context?.headers);
      let lookUp = (): Promise<readonly StoredFile[] | undefined> =>
        lookups.load(`${caller.key}\n${datatype}/${id}`, async () => ({
          value: await findFiles(await candidates(id, datatype, caller), { decrypt, caller }),
          weight: 1,
        }));
      for (const guard of guards(id, datatype)) {
        const next = lookUp;
        lookUp = () => guard.wait(next);
      }
      if (forward.length === 0) return lookUp();
      return lookUp().catch((error: unknown) => {
        throw toCallerError(error);
      });
    },
    list,
    close,
  };
}

/** How the files of a lookup are opened. */
interface OpenContext {
  readonly decrypt: Decrypt;
  readonly caller: Caller;
}

async function findFiles(
  candidates: readonly CandidateFile[],
  context: OpenContext,
): Promise<readonly StoredFile[] | undefined> {
  const findings = await Promise.all(candidates.map(({ data }) => probe(data)));
  const files: StoredFile[] = [];
  for (const [index, candidate] of candidates.entries()) {
    const { format } = candidate.kind;
    const isNewFormat = files.every((file) => file.format !== format);
    if (findings[index] === 'found' && isNewFormat) files.push(await toFile(candidate, context));
  }
  if (files.length > 0) return files;
  const refusal = findings.find((finding) => finding instanceof StorageError);
  if (refusal !== undefined) throw refusal;
  return undefined;
}

async function toFile(candidate: CandidateFile, { decrypt, caller }: OpenContext): Promise<StoredFile> {
  const { kind, data, indexes, coverage, checksums } = candidate;
  const { format, isEncrypted } = kind;
  const isOfCaller = caller.key !== '';
  const open = (stored: StoredObject): ByteSource => {
    const guarded = toGuarded(stored);
    const source = isOfCaller ? callerSource(guarded) : guarded;
    return stored.isEncrypted ? decrypt(source) : source;
  };
  const findings = await Promise.all(indexes.map(probe));
  const index = indexes[findings.indexOf('found')];
  return {
    format,
    data: open(data),
    identity: data.identity,
    ...(index !== undefined && { index: open(index) }),
    ...(coverage !== undefined && { coverage: open(coverage) }),
    ...(checksums !== undefined && { checksums }),
    ...(isOfCaller && { forwarded: caller.headers }),
    // The bucket has only the ciphertext.
    ...(isEncrypted ? { isEncrypted } : { locate: data.locate }),
  };
}

/** Returns whether the file exists, or the error if access to it is denied. */
async function probe({ source }: StoredObject): Promise<'found' | 'missing' | StorageError> {
  try {
    await source.stat();
    return 'found';
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (error.code === 'NOT_FOUND') return 'missing';
    if (error.code === 'ACCESS_DENIED') return error;
    throw error;
  }
}
