import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { ByteSource } from './byte-source.js';
import { fileSource } from './file.node.js';
import {
  checkContentSize,
  checkObjectKey,
  type ObjectSourceOptions,
  type ObjectStore,
  type ObjectStream,
  type StoreOptions,
} from './object-store.js';
import { checkNotAborted, StorageError } from './storage-error.js';
import { toStorageError } from './system-error.js';

/** Where objects are written until they are whole. No key begins so. */
const PARTIAL_FOLDER = '.partial';
/** Milliseconds since its last byte after which nobody is taken to write a file any more. */
const STALE_MILLISECONDS = 3_600_000;

/**
 * A store of the files below a folder, which is made when something is written. An object is written beside the others,
 * forced to disk, and then given its name. What writers that were killed left behind is removed by one that comes an hour
 * later. Names that begin with a point are none of its objects.
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
    const parents = [prefix.slice(0, prefix.lastIndexOf('/') + 1)];
    for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
      checkNotAborted(signal, prefix);
      for (const entry of await this.#readFolder(parent)) {
        const key = parent + entry.name;
        if (entry.name.startsWith('.') || !key.startsWith(prefix)) continue;
        if (entry.isDirectory()) parents.push(`${key}/`);
        else if (entry.isFile()) yield key;
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
    const first = await mkdir(folder, { recursive: true });
    if (first !== undefined) {
      for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
    }
    this.#folders.add(folder);
  }
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
