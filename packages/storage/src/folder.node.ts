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
  StorageError,
  type StoreOptions,
} from '@htskit/io';
import { fileSource } from './file.node.js';
import { toStorageError } from './system-error.js';

/** Where objects are written until they are whole. No key begins so. */
const PARTIAL_FOLDER = '.partial';
/** Milliseconds since its last byte after which nobody is taken to write a file any more. */
const STALE_MILLISECONDS = 3_600_000;

/**
 * A store of the files below a folder, which is made when something is written. An object is written beside the others,
 * forced to disk, and then given its name. What writers that were killed left behind is removed by one that comes an hour
 * later. Symbolic links are the objects and folders that they lead to, wherever those are. Files whose names cannot be keys
 * are none of its objects.
 */
export function folderStore(path: string): ObjectStore {
  return new FolderStore(path);
}

class FolderStore implements ObjectStore {
  readonly #root: string;
  /** Folders that are there. */
  readonly #folders = new Set<string>();
  #prepared: Promise<void> | undefined;

  constructor(path: string) {
    this.#root = resolve(path);
  }

  source(key: string, { isImmutable = false }: ObjectSourceOptions = {}): ByteSource {
    checkObjectKey(key);
    return fileSource(join(this.#root, key), { isImmutable });
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

  /** Under a name of its own, until all of it is on disk. */
  async #write(path: string, options: WriteOptions): Promise<void> {
    const temporary = join(this.#root, PARTIAL_FOLDER, randomUUID());
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

  /** What a link leads to; undefined for nothing, and for a folder that the link is in, which would have no end. */
  async #followLink(key: string, { keyPrefix, linkedFrom }: ListedFolder): Promise<Stats | undefined> {
    const path = join(this.#root, key);
    try {
      const stats = await stat(path);
      if (!stats.isDirectory()) return stats;
      const target = await realpath(path);
      for (const parent of [...linkedFrom, keyPrefix]) {
        const way = relative(target, await realpath(join(this.#root, parent)));
        if (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return undefined;
      }
      return stats;
    } catch (cause) {
      const error = toStorageError(cause, key);
      if (error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
  }

  /** Once for each store, because a folder with many files of other writers takes a while. */
  async #prepare(): Promise<void> {
    this.#prepared ??= this.#removeStale().catch((error: unknown) => {
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }

  async #removeStale(): Promise<void> {
    const folder = join(this.#root, PARTIAL_FOLDER);
    await this.#makeFolder(folder);
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      // One that has gone meanwhile has been finished, or removed by another writer.
      const stats = await stat(path).catch(() => undefined);
      if (stats !== undefined && Date.now() - stats.mtimeMs > STALE_MILLISECONDS) await rm(path, { force: true });
    }
  }

  async #makeFolder(folder: string): Promise<void> {
    if (this.#folders.has(folder)) return;
    await makeFolder(folder);
    this.#folders.add(folder);
  }
}

/**
 * Makes a folder that is not there, with those that it lies in, and forces their names to disk. Throws what the system says
 * where one cannot be made. They are made one at a time, since `recursive` of Node 20 never ends below /proc, which refuses
 * a new name as one whose folder is missing.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  try {
    await mkdir(path);
  } catch (error) {
    // Another writer may have made it meanwhile.
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

/** A folder whose names are to be listed. */
interface ListedFolder {
  /** Of its keys. */
  readonly keyPrefix: string;
  /** The folders with the links that led here. */
  readonly linkedFrom: readonly string[];
}

interface WriteOptions {
  readonly key: string;
  readonly content: Uint8Array | ObjectStream;
  readonly signal: AbortSignal | undefined;
}

/**
 * Makes a file that is whole as soon as it has a name, and false where one is there. Stores of many short sequences are half
 * of such files: importing 20,000 takes 43 instead of 61 s.
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

/** Writes a new file and forces it to disk. */
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
    // Behind what was written before.
    await file.writeFile(chunk);
    length += chunk.length;
  }
  checkContentSize(length, content, key);
}

/** Forces to disk which names a folder has, where the system can. */
async function syncFolder(path: string): Promise<void> {
  // Windows opens no folders.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

const ACCESS_DENIED = new Set(['EACCES', 'EPERM', 'EROFS']);

/** The StorageError of a system call that failed; what else was thrown stays as it is. */
function toWriteError(error: unknown, key: string): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  const code = String(error.code);
  if (ACCESS_DENIED.has(code)) {
    return new StorageError('ACCESS_DENIED', 'the object may not be written', { key, cause: error });
  }
  return new StorageError('UNAVAILABLE', `the object cannot be written (${code})`, { key, cause: error });
}
