import { randomUUID } from 'node:crypto';
import type { Dirent, Stats } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { ByteSource } from '@htskit/io';
import {
  checkContentSize,
  checkNotAborted,
  checkObjectKey,
  isObjectKey,
  type ObjectSourceOptions,
  type ObjectStore,
  type ObjectStream,
  type StoreOptions,
} from '@htskit/io';
import { FileAccess } from './file-access.node.js';
import { fileSource } from './file-source.node.js';
import { toStorageError, toWriteError } from './system-error.js';
import { hasEnded, writerPrefix } from './writer-process.node.js';

/** Folder of incomplete objects. No key can begin with it. */
const PARTIAL_FOLDER = '.partial';
/** Milliseconds since the last write after which an incomplete object of an unknown writer counts as abandoned. */
const STALE_MILLISECONDS = 3_600_000;

/**
 * Returns a store of the files below a folder, which the first write creates. An object is written to a temporary file,
 * flushed to disk, and then renamed. Temporary files of killed writers are removed by the next writer on the same machine, and on
 * another one after an hour.
 * Symbolic links are followed, also out of the folder. Files whose names are not valid keys are ignored.
 *
 * @example
 * const store = folderStore('/data/sequences');
 * await store.put('some-digest', bytes);
 */
export function folderStore(path: string, { access }: FolderStoreOptions = {}): ObjectStore {
  return new FolderStore(path, access ?? new FileAccess(path));
}

export interface FolderStoreOptions {
  /** Decides whether reads may block the thread. Default: a `FileAccess` of the folder. */
  readonly access?: FileAccess;
}

class FolderStore implements ObjectStore {
  readonly #root: string;
  readonly #access: FileAccess;
  /** Folders that exist. */
  readonly #folders = new Set<string>();
  #prepared: Promise<void> | undefined;

  constructor(path: string, access: FileAccess) {
    this.#root = resolve(path);
    this.#access = access;
  }

  source(key: string, { isImmutable = false }: ObjectSourceOptions = {}): ByteSource {
    checkObjectKey(key);
    return fileSource(join(this.#root, key), { isImmutable, access: this.#access });
  }

  async put(key: string, content: Uint8Array | ObjectStream, { signal }: StoreOptions = {}): Promise<void> {
    checkObjectKey(key);
    checkNotAborted(signal, key);
    try {
      await this.#prepare();
      const path = join(this.#root, key);
      await this.#makeFolder(dirname(path));
      const isEmpty = content instanceof Uint8Array && content.length === 0;
      if (!isEmpty || !(await createEmpty(path))) await this.#write(path, { key, content, signal });
      await syncFolder(dirname(path));
    } catch (error) {
      throw toWriteError(error, key);
    }
  }

  async *list(prefix: string, { signal }: StoreOptions = {}): AsyncGenerator<string, void> {
    const first: ListedFolder = { keyPrefix: prefix.slice(0, prefix.lastIndexOf('/') + 1), linkedFrom: [] };
    const folders = [first];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      checkNotAborted(signal, prefix);
      for (const entry of await this.#readFolder(folder.keyPrefix)) {
        const key = folder.keyPrefix + entry.name;
        if (!key.startsWith(prefix) || !isObjectKey(key)) continue;
        const kind = entry.isSymbolicLink() ? await this.#followLink(key, folder) : entry;
        if (kind?.isFile() === true) yield key;
        if (kind?.isDirectory() !== true) continue;
        const linkedFrom = entry.isSymbolicLink() ? [...folder.linkedFrom, folder.keyPrefix] : folder.linkedFrom;
        folders.push({ keyPrefix: `${key}/`, linkedFrom });
      }
    }
  }

  async delete(key: string, { signal }: StoreOptions = {}): Promise<void> {
    checkObjectKey(key);
    checkNotAborted(signal, key);
    try {
      await rm(join(this.#root, key), { force: true });
    } catch (error) {
      throw toWriteError(error, key);
    }
  }

  /** Writes to a temporary file and renames it once it is on disk. */
  async #write(path: string, options: WriteOptions): Promise<void> {
    const temporary = join(this.#root, PARTIAL_FOLDER, `${await writerPrefix()}${randomUUID()}`);
    try {
      await writeFile(temporary, options);
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async #readFolder(parent: string): Promise<Dirent[]> {
    try {
      return await readdir(join(this.#root, parent), { withFileTypes: true });
    } catch (cause) {
      const error = toStorageError(cause, parent);
      if (error.code === 'NOT_FOUND') return [];
      throw error;
    }
  }

  /** Returns the target of a link, or undefined if it is missing or a folder that contains the link, which would never end. */
  async #followLink(key: string, { keyPrefix, linkedFrom }: ListedFolder): Promise<Stats | undefined> {
    const path = join(this.#root, key);
    try {
      const stats = await stat(path);
      if (!stats.isDirectory()) return stats;
      const target = await realpath(path);
      for (const parent of [...linkedFrom, keyPrefix]) {
        const back = relative(target, await realpath(join(this.#root, parent)));
        if (back !== '..' && !back.startsWith(`..${sep}`) && !isAbsolute(back)) return undefined;
      }
      return stats;
    } catch (cause) {
      const error = toStorageError(cause, key);
      if (error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
  }

  /** Removes abandoned files once per store, because listing those of many other writers takes a while. */
  async #prepare(): Promise<void> {
    this.#prepared ??= this.#removeStale().catch((error: unknown) => {
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }

  async #removeStale(): Promise<void> {
    await this.#makeFolder(join(this.#root, PARTIAL_FOLDER));
    for (const path of await this.listAbandoned()) await rm(join(this.#root, path), { force: true });
  }

  async listAbandoned(): Promise<string[]> {
    const own = await writerPrefix();
    const abandoned: string[] = [];
    for (const { name } of await this.#readFolder(PARTIAL_FOLDER)) {
      // A file that is gone by now was completed, or removed by another writer.
      const stats = await stat(join(this.#root, PARTIAL_FOLDER, name)).catch(() => undefined);
      if (stats === undefined || name.startsWith(own)) continue;
      if (hasEnded(name, own) || Date.now() - stats.mtimeMs > STALE_MILLISECONDS) {
        abandoned.push(`${PARTIAL_FOLDER}/${name}`);
      }
    }
    return abandoned;
  }

  async #makeFolder(folder: string): Promise<void> {
    if (this.#folders.has(folder)) return;
    await makeFolder(folder);
    this.#folders.add(folder);
  }
}

/**
 * Creates a folder and its missing parents, and flushes their names to disk. Throws the system's error. Parents are created
 * one at a time: `recursive` of Node 20 never ends below /proc, which refuses a new name as if its parent were missing.
 *
 * @example
 * await makeFolder('/data/sequences/new');
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  try {
    await mkdir(path);
  } catch (error) {
    // Another writer may have created it in the meantime.
    if (!(await isFolder(path))) throw error;
  }
  await syncFolder(parent);
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** A folder that is yet to be listed. */
interface ListedFolder {
  /** The beginning of its keys. */
  readonly keyPrefix: string;
  /** The folders of the links that led here. */
  readonly linkedFrom: readonly string[];
}

interface WriteOptions {
  readonly key: string;
  readonly content: Uint8Array | ObjectStream;
  readonly signal: AbortSignal | undefined;
}

/**
 * Creates an empty file, which needs no temporary file. Returns false if the file exists. Half of the files in a store of
 * many short sequences are empty: importing 20,000 takes 43 instead of 61 s.
 */
async function createEmpty(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Writes a new file and flushes it to disk. */
async function writeFile(path: string, { key, content, signal }: WriteOptions): Promise<void> {
  const file = await open(path, 'wx');
  try {
    if (content instanceof Uint8Array) await file.writeFile(content);
    else await writeChunks(file, { key, content, signal });
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeChunks(
  file: FileHandle,
  { key, content, signal }: WriteOptions & { readonly content: ObjectStream },
): Promise<void> {
  let length = 0;
  for await (const chunk of content.chunks) {
    checkNotAborted(signal, key);
    await file.writeFile(chunk);
    length += chunk.length;
  }
  checkContentSize(length, content, key);
}

/** Flushes the names in a folder to disk, if the system can. */
async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
