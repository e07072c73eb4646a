import { randomUUID } from 'node:crypto';
import type { Dirent, Stats } from 'node:fs';
import { type FileHandle, link, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { ByteSource } from '@htskit/io';
import {
  checkContentSize,
  checkNotAborted,
  isObjectKey,
  type ObjectSourceOptions,
  type ObjectStore,
  type ObjectStream,
  type PutOptions,
  StorageError,
  type StoreOptions,
} from '@htskit/io';
import { checkReplaced, unlessMissing } from '@htskit/io/internal';
import { FileAccess } from './file-access.node.js';
import { fileSource } from './file-source.node.js';
import { makeFolder, syncFolder } from './make-folder.node.js';
import { toStorageError, toWriteError } from './system-error.js';
import { hasEnded, writerPrefix } from './writer-process.node.js';

export { makeFolder };

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
export function folderStore(path: string, options: FolderStoreOptions = {}): ObjectStore {
  return new FolderStore(path, options);
}

export interface FolderStoreOptions {
  /** Decides whether reads may block the thread. Default: a `FileAccess` of the folder. */
  readonly access?: FileAccess;
  /**
   * Whether keys may have all characters that file names do, as those of a folder that other programs fill. Default: those that
   * `isObjectKey` accepts.
   */
  readonly anyNames?: boolean;
}

class FolderStore implements ObjectStore {
  readonly #root: string;
  readonly #access: FileAccess;
  readonly #isKey: (key: string) => boolean;
  /** Folders that exist. */
  readonly #folders = new Set<string>();
  #prepared: Promise<void> | undefined;

  constructor(path: string, { access, anyNames = false }: FolderStoreOptions) {
    this.#root = resolve(path);
    this.#access = access ?? new FileAccess(path);
    this.#isKey = anyNames ? isFileKey : isObjectKey;
  }

  source(key: string, { isImmutable = false }: ObjectSourceOptions = {}): ByteSource {
    this.#checkKey(key);
    return fileSource(join(this.#root, key), { isImmutable, access: this.#access });
  }

  async put(key: string, content: Uint8Array | ObjectStream, options: PutOptions = {}): Promise<void> {
    this.#checkKey(key);
    checkNotAborted(options.signal, key);
    try {
      await this.#prepare();
      const path = join(this.#root, key);
      await this.#makeFolder(dirname(path));
      const isEmpty = content instanceof Uint8Array && content.length === 0;
      const isCreated = isEmpty && typeof options.replaces !== 'string' && (await createEmpty(path));
      if (!isCreated) await this.#write(path, { ...options, key, content });
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
        if (!key.startsWith(prefix) || !this.#isKey(key)) continue;
        const kind = entry.isSymbolicLink() ? await this.#followLink(key, folder) : entry;
        if (kind?.isFile() === true) yield key;
        if (kind?.isDirectory() !== true) continue;
        const linkedFrom = entry.isSymbolicLink() ? [...folder.linkedFrom, folder.keyPrefix] : folder.linkedFrom;
        folders.push({ keyPrefix: `${key}/`, linkedFrom });
      }
    }
  }

  async delete(key: string, { signal }: StoreOptions = {}): Promise<void> {
    this.#checkKey(key);
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
      if (options.replaces === null) await this.#link(temporary, path, options.key);
      else await this.#replace(temporary, path, options);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async #replace(temporary: string, path: string, { key, replaces }: WriteOptions): Promise<void> {
    if (replaces !== undefined) checkReplaced(await unlessMissing(this.source(key).stat()), replaces, key);
    await rename(temporary, path);
  }

  /** Names a complete file, unless there is one of that name. */
  async #link(temporary: string, path: string, key: string): Promise<void> {
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') checkReplaced({}, null, key);
      throw error;
    });
    await rm(temporary, { force: true });
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

  #checkKey(key: string): void {
    if (!this.#isKey(key)) throw new StorageError('INVALID_KEY', 'not a valid object key', { key });
  }

  async #makeFolder(folder: string): Promise<void> {
    if (this.#folders.has(folder)) return;
    await makeFolder(folder);
    this.#folders.add(folder);
  }
}

/** Returns whether a key is the path of a file below a folder. */
function isFileKey(key: string): boolean {
  const segments = key.split('/');
  return segments[0] !== PARTIAL_FOLDER && !key.includes('\0') && segments.every((each) => !/^\.{0,2}$/.test(each));
}

/** A folder that is yet to be listed. */
interface ListedFolder {
  /** The beginning of its keys. */
  readonly keyPrefix: string;
  /** The folders of the links that led here. */
  readonly linkedFrom: readonly string[];
}

interface WriteOptions extends PutOptions {
  readonly key: string;
  readonly content: Uint8Array | ObjectStream;
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
  { key, content, signal }: Pick<WriteOptions, 'key' | 'signal'> & { readonly content: ObjectStream },
): Promise<void> {
  let length = 0;
  for await (const chunk of content.chunks) {
    checkNotAborted(signal, key);
    await file.writeFile(chunk);
    length += chunk.length;
  }
  checkContentSize(length, content, key);
}
