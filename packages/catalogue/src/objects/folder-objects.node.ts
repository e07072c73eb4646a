import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { StoredFile, StoredFormat } from '@htskit/htsget';
import { indexPaths } from '@htskit/indexes';
import type { ByteSource } from '@htskit/io';
import type { Datatype } from '@htskit/protocol';
import { type Blocking, FileAccess, fileSource } from '@htskit/storage/file';
import { toUndefinedIfMissing } from '../files/file-errors.node.js';
import { isBelow, listFiles } from '../files/list-files.node.js';
import {
  compareEntries,
  OBJECT_KINDS,
  type ObjectCatalogue,
  type ObjectEntry,
  type ObjectKind,
  objectKindOf,
  RESERVED_ID,
} from './object-catalogue.js';

export interface FolderObjectsOptions {
  /** Receives one message per file that is not served, with the reason. Default `console.error`. */
  readonly log?: (message: string) => void;
  /** Whether lookups and short reads block the thread. Default `auto`: unless the file system is remote or slow. */
  readonly blocking?: Blocking;
}

/**
 * Serves the `*.bam`, `*.cram`, `*.vcf.gz`, `*.vcf.bgz` and `*.bcf` files below folders, and single files, with the indexes
 * beside them. The id of an object is its path relative to the folder, without the extension; files that differ only in
 * their extension are formats of one object. Nothing is listed in advance: each id is looked up when it is requested, so
 * files that appear, change or are deleted are noticed. Links that leave a folder are not followed. Throws system errors for
 * a path that does not exist.
 *
 * @example
 * const { resolve } = await folderObjects('/data/alignments');
 * const handler = createHtsgetHandler({ publicUrl: 'http://127.0.0.1:3000/htsget', resolve });
 */
export async function folderObjects(
  paths: string | readonly string[],
  { log = console.error, blocking }: FolderObjectsOptions = {},
): Promise<ObjectCatalogue> {
  const roots = await Promise.all([paths].flat().map((path) => toRoot(path, blocking)));
  const objects = new FolderObjects(
    roots.filter((root) => root !== undefined),
    log,
  );
  return {
    resolve: (id, datatype) => objects.resolve(id, datatype),
    list: () => objects.list(),
    close: () => objects.close(),
  };
}

interface Root {
  /** The folder that ids are relative to, as a real path. */
  readonly folder: string;
  readonly access: FileAccess;
  /** The single file to serve, if the path is that of a file. Its links are followed; those of a folder must not leave it. */
  readonly only?: SingleFile;
}

interface SingleFile {
  readonly id: string;
  readonly kind: ObjectKind;
}

/** An object found while listing. */
interface ListedObject extends Omit<ObjectEntry, 'formats'> {
  /** The folder of all its files. */
  readonly folder: string;
  /** The path of the first of them. */
  readonly path: string;
  readonly paths: Map<StoredFormat, string>;
}

class FolderObjects {
  readonly #roots: readonly Root[];
  readonly #log: (message: string) => void;
  /** Messages that were logged, each once. */
  readonly #logged = new Set<string>();
  readonly #sources = new Map<string, ByteSource>();

  constructor(roots: readonly Root[], log: (message: string) => void) {
    this.#roots = roots;
    this.#log = log;
  }

  /** All files come from the first root that has any: files of the same id elsewhere may be unrelated. */
  async resolve(id: string, datatype: Datatype): Promise<readonly StoredFile[] | undefined> {
    // Ids separate names by slashes. On Windows, an id with a backslash would be a second id of the same file.
    if (sep !== '/' && id.includes(sep)) return undefined;
    for (const folder of this.#folders()) {
      const files = await this.#filesIn(folder, id, datatype);
      if (files.length > 0) return files;
    }
    return undefined;
  }

  /** Returns the folders of the roots, each once. */
  #folders(): Iterable<string> {
    return new Set(this.#roots.map(({ folder }) => folder));
  }

  /** Returns the files of an object that the roots of one folder serve. */
  async #filesIn(folder: string, id: string, datatype: Datatype): Promise<StoredFile[]> {
    const kinds = OBJECT_KINDS.filter((kind) => kind.datatype === datatype);
    const found = await Promise.all(
      kinds.map(async (kind) => {
        const root = this.#roots.find((each) => each.folder === folder && isServed(each, id, kind));
        return root && this.#storedFile(root, id, kind);
      }),
    );
    const files = new Map<StoredFormat, StoredFile>();
    for (const file of found) if (file !== undefined && !files.has(file.format)) files.set(file.format, file);
    return [...files.values()];
  }

  /** Lists the objects that exist now and logs the files that are not served. */
  async list(): Promise<ObjectEntry[]> {
    const objects = new Map<string, ListedObject>();
    for (const folder of this.#folders()) {
      for (const file of await this.#listFolder(folder)) this.#add(file, folder, objects);
    }
    return Array.from(objects.values(), ({ id, datatype, paths }) => ({
      id,
      datatype,
      formats: [...paths.keys()],
    })).sort(compareEntries);
  }

  /** Returns the files that the roots of one folder serve, those of an object in the order of their formats. */
  async #listFolder(folder: string): Promise<SingleFile[]> {
    const roots = this.#roots.filter((root) => root.folder === folder);
    const files = await Promise.all(
      roots.map(async ({ only }) => (only === undefined ? this.#listFiles(folder) : [only])),
    );
    return files.flat().sort((a, b) => OBJECT_KINDS.indexOf(a.kind) - OBJECT_KINDS.indexOf(b.kind));
  }

  /** Lists the files of objects below a folder. */
  async #listFiles(folder: string): Promise<SingleFile[]> {
    const files: SingleFile[] = [];
    for (const path of await listFiles(folder)) {
      const name = relative(folder, path).split(sep).join('/');
      const kind = objectKindOf(name);
      if (kind === undefined) continue;
      if (await isGarbled(path)) this.#logUnserved(path, 'its name is not UTF-8; rename the file');
      else files.push({ id: name.slice(0, -kind.extension.length), kind });
    }
    return files;
  }

  /** Adds a file to the listed objects under the same rules as `resolve`, or logs why it is not served. */
  #add({ id, kind }: SingleFile, folder: string, objects: Map<string, ListedObject>): void {
    const { datatype, format } = kind;
    const path = join(folder, id + kind.extension);
    if (id === RESERVED_ID) {
      this.#logUnserved(path, `/${datatype}/${id} is a path of the protocol; rename the file`);
      return;
    }
    const object = objects.get(`${datatype}/${id}`);
    if (object === undefined) {
      objects.set(`${datatype}/${id}`, { id, datatype, folder, path, paths: new Map([[format, path]]) });
    } else if (object.folder === folder && !object.paths.has(format)) {
      object.paths.set(format, path);
    } else if (object.paths.get(format) !== path) {
      const other = object.paths.get(format) ?? object.path;
      this.#logUnserved(path, `${relative(process.cwd(), other)} has the same id`);
    }
  }

  #logUnserved(path: string, reason: string): void {
    const message = `${relative(process.cwd(), path)} is not served: ${reason}`;
    if (this.#logged.has(message)) return;
    this.#logged.add(message);
    this.#log(message);
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#sources.values(), async (source) => source.close?.()));
  }

  async #storedFile(root: Root, id: string, kind: ObjectKind): Promise<StoredFile | undefined> {
    const data = await this.#source(root, id + kind.extension);
    if (data === undefined) return undefined;
    for (const path of indexPaths(id + kind.extension, kind.format)) {
      const index = await this.#source(root, path);
      if (index !== undefined) return { format: kind.format, data, index };
    }
    return { format: kind.format, data };
  }

  /** Returns the file at a path below a root, or undefined if there is none or a link leads out of the served folder. */
  async #source(root: Root, path: string): Promise<ByteSource | undefined> {
    const { folder, only, access } = root;
    const full = join(folder, path);
    try {
      const found = await access.calls.lstat(full);
      // Most names that are looked up do not exist: those of the other formats, and of other indexes.
      if (found === undefined) return undefined;
      // The path of a source is a real one as long as no part of it becomes a link.
      const known = this.#sources.get(full);
      if (known !== undefined && found.isFile() && !(await hasLink(root, dirname(path)))) return known;
      const real = await access.calls.realpath(full);
      if (only === undefined && !isBelow(folder, real)) return undefined;
      return (await access.calls.stat(real)).isFile() ? this.#sourceAt(real, access) : undefined;
    } catch (error) {
      return toUndefinedIfMissing(error as NodeJS.ErrnoException);
    }
  }

  #sourceAt(real: string, access: FileAccess): ByteSource {
    const source = this.#sources.get(real) ?? fileSource(real, { access });
    this.#sources.set(real, source);
    return source;
  }
}

/**
 * Whether one of the folders on a path below a root is a link. The calls may block, like short reads do: through Node's thread
 * pool, the lookups of a ticket took four times as long as everything else.
 */
async function hasLink({ folder, access }: Root, path: string): Promise<boolean> {
  if (path === '.') return false;
  const found = await access.calls.lstat(join(folder, path));
  return found?.isDirectory() !== true || hasLink({ folder, access }, dirname(path));
}

/** Returns undefined for a file that is not an htsget object, such as a FASTA. */
async function toRoot(path: string, blocking: Blocking | undefined): Promise<Root | undefined> {
  const access = new FileAccess(path, { blocking });
  if ((await stat(path)).isDirectory()) return { folder: await realpath(path), access };
  const kind = objectKindOf(basename(path));
  return kind && { folder: await realpath(dirname(path)), access, only: { id: basename(path, kind.extension), kind } };
}

function isServed({ only }: Root, id: string, kind: ObjectKind): boolean {
  return only === undefined || (only.id === id && only.kind === kind);
}

/** Returns whether a path has names that are not UTF-8. Decoded, they lead to no file. */
async function isGarbled(path: string): Promise<boolean> {
  return path.includes('\ufffd') && (await lstat(path).catch(toUndefinedIfMissing)) === undefined;
}
