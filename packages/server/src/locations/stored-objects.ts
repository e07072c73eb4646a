import type { StoredFile } from '@htskit/htsget';
import { StorageError } from '@htskit/io';
import type { Datatype } from '@htskit/protocol';
import { LookupCache } from './lookup-cache.js';
import type { ObjectFinder } from './object-finder.js';
import type { ObjectEntry, ObjectKind } from './object-kind.js';
import type { StoredObject } from './remote-storage.js';

/** Where a stored form of an object is, if it is there. */
export interface CandidateFile {
  readonly kind: ObjectKind;
  readonly data: StoredObject;
  /** Where its index may be, in the order of preference. */
  readonly indexes: readonly StoredObject[];
}

export interface StoredObjectsOptions {
  /** Where the files of an object can be, in the order of their formats. */
  readonly candidates: (id: string, datatype: Datatype) => readonly CandidateFile[];
  readonly list: () => Promise<readonly ObjectEntry[]>;
  readonly close: () => Promise<void>;
  /** As of LookupCache. */
  readonly now?: (() => number) | undefined;
}

/** For how long it is taken for granted that a file is there, or is not. */
const LOOKUP_MILLISECONDS = 10_000;
const MAX_LOOKUPS = 10_000;
/** Of a key of S3. Clients choose ids, which are kept with what was found: longer ones are nowhere. */
const MAX_ID_LENGTH = 1024;

/**
 * Objects that are looked for by asking for each of their files, as no listing is needed for. A store that lets nobody list
 * its keys may deny access to those that are not there: such files are not there, unless none is.
 */
export function storedObjects({ candidates, list, close, now }: StoredObjectsOptions): ObjectFinder {
  const lookups = new LookupCache<readonly StoredFile[] | undefined>({
    maxCount: MAX_LOOKUPS,
    milliseconds: LOOKUP_MILLISECONDS,
    now,
  });
  return {
    async resolve(id, datatype) {
      if (id.length > MAX_ID_LENGTH) return undefined;
      return lookups.get(`${datatype}/${id}`, async () => findFiles(candidates(id, datatype)));
    },
    list,
    close,
  };
}

async function findFiles(candidates: readonly CandidateFile[]): Promise<readonly StoredFile[] | undefined> {
  const findings = await Promise.all(candidates.map(({ data }) => look(data)));
  const files: StoredFile[] = [];
  for (const [rank, candidate] of candidates.entries()) {
    const { format } = candidate.kind;
    if (findings[rank] === 'found' && files.every((file) => file.format !== format))
      files.push(await toFile(candidate));
  }
  if (files.length > 0) return files;
  const refusal = findings.find((finding) => finding instanceof StorageError);
  if (refusal !== undefined) throw refusal;
  return undefined;
}

async function toFile({ kind, data, indexes }: CandidateFile): Promise<StoredFile> {
  const findings = await Promise.all(indexes.map(look));
  const index = indexes[findings.indexOf('found')];
  return {
    format: kind.format,
    data: data.source,
    ...(data.identity !== undefined && { identity: data.identity }),
    ...(index !== undefined && { index: index.source }),
    ...(data.locate !== undefined && { locate: data.locate }),
  };
}

/** Whether it is there; the error where access to it is denied. */
async function look({ source }: StoredObject): Promise<'found' | 'missing' | StorageError> {
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
