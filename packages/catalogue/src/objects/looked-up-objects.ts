import type { StoredFile } from '@htskit/htsget';
import { type ByteSource, LruCache, StorageError } from '@htskit/io';
import type { Datatype } from '@htskit/protocol';
import type { StoreGuard } from '@htskit/storage/guard';
import { type StoredObject, toGuarded } from '../locations/remote-storage.js';
import type { Decrypt, ObjectCatalogue, ObjectEntry, ObjectKind } from './object-catalogue.js';

/** A file that an object has if it exists. */
export interface CandidateFile {
  readonly kind: ObjectKind;
  readonly data: StoredObject;
  /** The possible indexes, in the order of lookup. */
  readonly indexes: readonly StoredObject[];
  /** The bigWig of the depth of an alignment file, if it is elsewhere. Whether it exists is not looked up. */
  readonly coverage?: StoredObject | undefined;
}

export interface LookedUpObjectsOptions {
  /** Returns the possible files of an object, in the order of their formats. */
  readonly candidates: (id: string, datatype: Datatype) => readonly CandidateFile[];
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
    async resolve(id, datatype) {
      if (id.length > MAX_ID_LENGTH) return undefined;
      let lookUp = (): Promise<readonly StoredFile[] | undefined> =>
        lookups.load(`${datatype}/${id}`, async () => ({
          value: await findFiles(candidates(id, datatype), decrypt),
          weight: 1,
        }));
      for (const guard of guards(id, datatype)) {
        const next = lookUp;
        lookUp = () => guard.wait(next);
      }
      return lookUp();
    },
    list,
    close,
  };
}

async function findFiles(
  candidates: readonly CandidateFile[],
  decrypt: Decrypt,
): Promise<readonly StoredFile[] | undefined> {
  const findings = await Promise.all(candidates.map(({ data }) => probe(data)));
  const files: StoredFile[] = [];
  for (const [index, candidate] of candidates.entries()) {
    const { format } = candidate.kind;
    const isNewFormat = files.every((file) => file.format !== format);
    if (findings[index] === 'found' && isNewFormat) files.push(await toFile(candidate, decrypt));
  }
  if (files.length > 0) return files;
  const refusal = findings.find((finding) => finding instanceof StorageError);
  if (refusal !== undefined) throw refusal;
  return undefined;
}

async function toFile({ kind, data, indexes, coverage }: CandidateFile, decrypt: Decrypt): Promise<StoredFile> {
  const { format, isEncrypted } = kind;
  const open = (stored: StoredObject): ByteSource => {
    const source = toGuarded(stored);
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
