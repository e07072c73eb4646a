import type { StoredFile } from '@htskit/htsget';
import { indexPaths } from '@htskit/indexes';
import { ENCRYPTED_EXTENSION, isEncryptedPath, plainPathOf } from '@htskit/io/internal';
import type { Datatype } from '@htskit/protocol';
import type { StoreGuard } from '@htskit/storage/guard';
import { type SdaArchive, type SdaFile, sdaSource } from '@htskit/storage/sda';
import type { RemoteStorage } from '../locations/remote-storage.js';
import type { StoredObject } from '../locations/stored-object.js';
import { type Caller, callerOf } from '../objects/caller.js';
import { type CandidateFile, lookedUpObjects } from '../objects/looked-up-objects.js';
import {
  type Decrypt,
  OBJECT_KINDS,
  type ObjectCatalogue,
  type ObjectEntry,
  type ObjectKind,
  objectKindOf,
  toEntry,
} from '../objects/object-catalogue.js';

export interface SdaObjectsOptions {
  readonly storage: RemoteStorage;
  readonly guard: StoreGuard;
  /** Decrypts files whose headers the archive encrypts for the key of its client. */
  readonly decrypt: Decrypt;
}

/** The credentials that the archive decides with. */
const FORWARDED = ['authorization'];
/** The most datasets whose files are listed. */
const LISTED_DATASETS = 20;

/**
 * Serves the files of an archive. The id of an object is the id of its dataset, percent-encoded, and the path of its file without the
 * extension. All files are encrypted, whether or not their names say so. The archive decides with the token of each request, so that
 * objects are listed for the user of a request only.
 */
export function sdaObjects(archive: SdaArchive, options: SdaObjectsOptions): ObjectCatalogue {
  const { guard, decrypt } = options;
  const objects = lookedUpObjects({
    candidates: (id, datatype, caller) => findCandidates(archive, { ...options, id, datatype, caller }),
    guards: () => [guard],
    decrypt,
    forward: FORWARDED,
    list: async () => [],
    close: async () => undefined,
  });
  return {
    ...objects,
    async listFor({ headers }) {
      const caller = await callerOf(FORWARDED, headers);
      if (Object.keys(caller.headers).length === 0) return [];
      return listEntries(archive, caller);
    },
  };
}

interface CandidateLookup extends SdaObjectsOptions {
  readonly id: string;
  readonly datatype: Datatype;
  readonly caller: Caller;
}

async function findCandidates(
  archive: SdaArchive,
  { id, datatype, caller, ...options }: CandidateLookup,
): Promise<readonly CandidateFile[]> {
  const slash = id.indexOf('/');
  const dataset = slash === -1 ? undefined : decodeDataset(id.slice(0, slash));
  if (dataset === undefined) return [];
  const path = id.slice(slash + 1);
  const files = await archive.files(dataset, { pathPrefix: `${path}.`, headers: caller.headers });
  const byPath = new Map(files.map((file) => [file.filePath, file]));
  const open = (file: SdaFile): StoredObject => openFile(archive, file, { ...options, caller });
  return OBJECT_KINDS.filter((kind) => kind.datatype === datatype).flatMap((kind) => {
    const file = byPath.get(path + kind.extension);
    if (file === undefined) return [];
    const indexes = indexNames(path, kind).flatMap((name) => byPath.get(name) ?? []);
    const checksums = file.checksums.map(toChecksum);
    return [{ kind: { ...kind, isEncrypted: true }, data: open(file), indexes: indexes.map(open), checksums }];
  });
}

/** Returns the names that an index may have, with and without the extension of encrypted files: all are. */
function indexNames(path: string, { extension, format }: ObjectKind): readonly string[] {
  const plain = plainPathOf(path + extension);
  const names = [plain, plain + ENCRYPTED_EXTENSION].flatMap((name) => indexPaths(name, format));
  const all = names.flatMap((name) => (isEncryptedPath(name) ? [name] : [name + ENCRYPTED_EXTENSION, name]));
  return [...new Set(all)];
}

function openFile(
  archive: SdaArchive,
  { fileId, filePath }: SdaFile,
  { storage, caller, guard }: Omit<CandidateLookup, 'id' | 'datatype'>,
): StoredObject {
  const { headers } = caller;
  const url = archive.contentUrl(fileId);
  const identity = `${url}#${filePath}`;
  // The key ends with the name, which says what kind of index a file is.
  const content = storage.open({ kind: 'http', url, access: { key: `${caller.key}#${identity}`, headers } });
  const source = sdaSource({ content: content.source, readHeader: () => archive.header(fileId, { headers }) });
  return { source, isEncrypted: true, guard, identity, locate: undefined };
}

/** Returns the name that DRS has for the algorithm of a digest. */
function toChecksum({ type, checksum }: SdaFile['checksums'][number]): NonNullable<StoredFile['checksums']>[number] {
  return { type: type.toLowerCase().replace(/^sha-?(\d+)$/, 'sha-$1'), checksum: checksum.toLowerCase() };
}

function decodeDataset(text: string): string | undefined {
  try {
    const dataset = decodeURIComponent(text);
    return ['', '.', '..'].includes(dataset) ? undefined : dataset;
  } catch {
    return undefined;
  }
}

async function listEntries(archive: SdaArchive, { headers }: Caller): Promise<ObjectEntry[]> {
  const datasets = await archive.datasets({ headers });
  const entries: ObjectEntry[] = [];
  for (const dataset of datasets.slice(0, LISTED_DATASETS)) {
    const found = new Map<string, { readonly id: string; readonly datatype: Datatype; readonly kinds: ObjectKind[] }>();
    for (const { filePath } of await archive.files(dataset, { headers })) {
      const kind = objectKindOf(filePath);
      if (kind === undefined) continue;
      const id = `${encodeURIComponent(dataset)}/${filePath.slice(0, -kind.extension.length)}`;
      const object = found.get(`${kind.datatype}/${id}`) ?? { id, datatype: kind.datatype, kinds: [] };
      object.kinds.push({ ...kind, isEncrypted: true });
      found.set(`${kind.datatype}/${id}`, object);
    }
    for (const { kinds, ...object } of found.values()) entries.push(toArchiveEntry(object, kinds));
  }
  return entries;
}

/** Creates the entry of an object all of whose files are encrypted. */
function toArchiveEntry(object: Pick<ObjectEntry, 'id' | 'datatype'>, kinds: readonly ObjectKind[]): ObjectEntry {
  const extensions = new Set(kinds.map(({ extension }) => extension));
  const entry = toEntry(
    object,
    OBJECT_KINDS.filter(({ extension }) => extensions.has(extension)),
  );
  return { ...entry, encrypted: entry.formats };
}
