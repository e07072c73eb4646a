import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { StoredFile, StoredFormat } from '@htskit/htsget';
import { coveragePathOf } from '@htskit/htsget/internal';
import { indexPaths } from '@htskit/indexes';
import type { ByteSource } from '@htskit/io';
import { isEncryptedPath } from '@htskit/io/internal';
import type { Datatype } from '@htskit/protocol';
import { type Blocking, FileAccess, fileSource } from '@htskit/storage/file';
import { toUndefinedIfMissing } from '../files/file-errors.node.js';
import { isBelow, listFiles } from '../files/list-files.node.js';
import {
  compareEntries,
  type Decrypt,
  kindsOf,
  NO_KEY,
  OBJECT_KINDS,
  type ObjectCatalogue,
  type ObjectEntry,
  type ObjectKind,
  objectKindOf,
  RESERVED_ID,
  toEntry,
} from './object-catalogue.js';

export interface FolderObjectsOptions {
  /** Receives one message per file that is not served, with the reason. Default `console.error`. */
  readonly log?: (message: string) => void;
  /** Whether lookups and short reads block the thread. Default `auto`: unless the file system is remote or slow. */
  readonly blocking?: Blocking;
  /** Decrypts files such as `a.bam.c4gh`, and their indexes. Default: they are not served. */
  readonly decrypt?: Decrypt | undefined;
}

/**
 * Serves the `*.bam`, `*.cram`, `*.vcf.gz`, `*.vcf.bgz` and `*.bcf` files below folders, and single files, with the indexes
 * beside them. Each may be encrypted by Crypt4GH, as `*.bam.c4gh`. The id of an object is its path relative to the folder, without the extension; files that differ only in
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
  { log = console.error, blocking, decrypt }: FolderObjectsOptions = {},
): Promise<ObjectCatalogue> {
  const roots = await Promise.all([paths].flat().map((path) => toRoot(path, blocking)));
  const objects = new FolderObjects(
    roots.filter((root) => root !== undefined),
    { log, decrypt },
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
  readonly files: Map<StoredFormat, { readonly path: string; readonly kind: ObjectKind }>;
}

class FolderObjects {
  readonly #roots: readonly Root[];
  readonly #decrypt: Decrypt | undefined;
  readonly #log: (message: string) => void;
  /** Messages that were logged, each once. */
  readonly #logged = new Set<string>();
  /** The sources by their real paths. A plaintext is the source of a file that has the name of an encrypted one. */
  readonly #sources = { stored: new Map<string, ByteSource>(), plaintext: new Map<string, ByteSource>() };

  constructor(
    roots: readonly Root[],
    { log, decrypt }: { readonly log: (message: string) => void; readonly decrypt: Decrypt | undefined },
  ) {
    this.#roots = roots;
    this.#log = log;
    this.#decrypt = decrypt;
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
    const found = await Promise.all(
      kindsOf(datatype, this.#decrypt).map(async (kind) => {
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
    const entries = Array.from(objects.values(), ({ files, ...object }) =>
      toEntry(
        object,
        Array.from(files.values(), ({ kind }) => kind),
      ),
    );
    return entries.sort(compareEntries);
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
    if (kind.isEncrypted && this.#decrypt === undefined) {
      this.#logUnserved(path, NO_KEY);
      return;
    }
    const object = objects.get(`${datatype}/${id}`);
    const file = { path, kind };
    if (object === undefined) {
      objects.set(`${datatype}/${id}`, { id, datatype, folder, path, files: new Map([[format, file]]) });
    } else if (object.folder === folder && !object.files.has(format)) {
      object.files.set(format, file);
    } else if (object.files.get(format)?.path !== path) {
      const other = object.files.get(format)?.path ?? object.path;
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
    const { stored, plaintext } = this.#sources;
    await Promise.all([...plaintext.values(), ...stored.values()].map(async (source) => source.close?.()));
  }

  async #storedFile(root: Root, id: string, kind: ObjectKind): Promise<StoredFile | undefined> {
    const data = await this.#source(root, id + kind.extension);
    if (data === undefined) return undefined;
    const encrypted = kind.isEncrypted ? await this.#encryptedMembers(root, id + kind.extension) : {};
    const file: StoredFile = { format: kind.format, data, ...encrypted };
    for (const path of indexPaths(id + kind.extension, kind.format)) {
      const index = await this.#source(root, path);
      if (index !== undefined) return { ...file, index };
    }
    return file;
  }

  /** Returns the members of a stored file that only an encrypted one has: the bigWigs of plain ones are found by their paths. */
  async #encryptedMembers(root: Root, path: string): Promise<Pick<StoredFile, 'isEncrypted' | 'coverage'>> {
    const coverage = await this.#source(root, coveragePathOf(path));
    return { isEncrypted: true, ...(coverage !== undefined && { coverage }) };
  }

  /**
   * Returns the file at a path below a root, decrypted if its name says that it is encrypted, or undefined if there is none or a
   * link leads out of the served folder.
   */
  async #source(root: Root, path: string): Promise<ByteSource | undefined> {
    const { folder, only, access } = root;
    const full = join(folder, path);
    try {
      const found = await access.calls.lstat(full);
      // Most names that are looked up do not exist: those of the other formats, and of other indexes.
      if (found === undefined) return undefined;
      // The path of a source is a real one as long as no part of it becomes a link.
      const sources = isEncryptedPath(path) ? this.#sources.plaintext : this.#sources.stored;
      const known = sources.get(full);
      if (known !== undefined && found.isFile() && !(await hasLink(root, dirname(path)))) return known;
      const real = await access.calls.realpath(full);
      if (only === undefined && !isBelow(folder, real)) return undefined;
      if (!(await access.calls.stat(real)).isFile()) return undefined;
      const source = sources.get(real) ?? this.#openSource(path, real, access);
      sources.set(real, source);
      return source;
    } catch (error) {
      return toUndefinedIfMissing(error as NodeJS.ErrnoException);
    }
  }

  #openSource(path: string, real: string, access: FileAccess): ByteSource {
    const stored = fileSource(real, { access });
    return isEncryptedPath(path) && this.#decrypt !== undefined ? this.#decrypt(stored) : stored;
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
