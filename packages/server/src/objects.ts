import { realpathSync, statSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { StoredFile, StoredFormat } from '@htskit/htsget';
import type { ByteSource } from '@htskit/io';
import type { Datatype } from '@htskit/protocol';
import { fileSource } from '@htskit/storage/file';
import { indexPaths } from './index-paths.js';
import { isBelow, listFiles } from './list-files.js';
import {
  compareEntries,
  OBJECT_KINDS,
  type ObjectEntry,
  type ObjectKind,
  objectKindOf,
  RESERVED_ID,
} from './locations/object-kind.js';
import { toUndefinedIfMissing } from './missing-file.js';

interface Root {
  /** The folder that ids are relative to. */
  readonly folder: string;
  /** Where a single file is served: that one. Its links are followed; those of a folder must not leave it. */
  readonly only?: SingleFile;
}

interface SingleFile {
  readonly id: string;
  readonly kind: ObjectKind;
}

/** An object as it is listed. */
interface ListedObject extends ObjectEntry {
  /** Where all of its files lie. */
  readonly folder: string;
  /** That of the first of them. */
  readonly path: string;
  readonly paths: Map<StoredFormat, string>;
}

/**
 * The htsget objects below some folders, and single files. Nothing is listed ahead: each id is looked up on disk when
 * it is asked for, so files that appear, change or vanish are noticed.
 */
export class ObjectCatalogue {
  readonly #roots: readonly Root[];
  readonly #log: (message: string) => void;
  /** What was logged, which is not said again. */
  readonly #logged = new Set<string>();
  readonly #sources = new Map<string, ByteSource>();

  private constructor(roots: readonly Root[], log: (message: string) => void) {
    this.#roots = roots;
    this.#log = log;
  }

  /** Throws where a path does not exist. */
  static async open(paths: readonly string[], log: (message: string) => void): Promise<ObjectCatalogue> {
    const roots = await Promise.all(paths.map(toRoot));
    return new ObjectCatalogue(
      roots.filter((root) => root !== undefined),
      log,
    );
  }

  /**
   * The files of an object, in the order of their formats; undefined if there are none. They lie in one folder, that of the
   * first root which has any of them: what lies elsewhere under the same id may be something else. Each format is there once.
   */
  async resolve(id: string, datatype: Datatype): Promise<readonly StoredFile[] | undefined> {
    // Names in ids have a slash between them: on Windows, what has a backslash would be a second id of the same file.
    if (sep !== '/' && id.includes(sep)) return undefined;
    for (const folder of this.#folders()) {
      const files = this.#filesIn(folder, id, datatype);
      if (files.length > 0) return files;
    }
    return undefined;
  }

  /** The folders of the roots, each once. */
  #folders(): Iterable<string> {
    return new Set(this.#roots.map(({ folder }) => folder));
  }

  /** The files that the roots of a folder serve as an object. */
  #filesIn(folder: string, id: string, datatype: Datatype): StoredFile[] {
    const files: StoredFile[] = [];
    for (const kind of OBJECT_KINDS.filter((each) => each.datatype === datatype)) {
      if (files.some(({ format }) => format === kind.format)) continue;
      const root = this.#roots.find((each) => each.folder === folder && isServed(each, id, kind));
      const file = root && this.#storedFile(root, id, kind);
      if (file !== undefined) files.push(file);
    }
    return files;
  }

  /** The objects that are there now, each once, by id. Logs each file that is not served, once, and why. */
  async list(): Promise<ObjectEntry[]> {
    const objects = new Map<string, ListedObject>();
    for (const folder of this.#folders()) {
      for (const file of await this.#listFolder(folder)) this.#add(file, folder, objects);
    }
    return Array.from(objects.values(), ({ id, datatype }) => ({ id, datatype })).sort(compareEntries);
  }

  /** The files that the roots of a folder serve, those of an object in the order of their formats. */
  async #listFolder(folder: string): Promise<SingleFile[]> {
    const roots = this.#roots.filter((root) => root.folder === folder);
    const files = await Promise.all(roots.map(async ({ only }) => (only === undefined ? listObjects(folder) : [only])));
    return files.flat().sort((a, b) => OBJECT_KINDS.indexOf(a.kind) - OBJECT_KINDS.indexOf(b.kind));
  }

  /** Adds a file to the objects that were listed before it, as `resolve` finds them, or logs why not. */
  #add({ id, kind }: SingleFile, folder: string, objects: Map<string, ListedObject>): void {
    const { datatype, format } = kind;
    const path = join(folder, id + kind.extension);
    if (id === RESERVED_ID) {
      this.#logUnserved(path, `/${datatype}/${id} is a path of the protocol; rename it`);
      return;
    }
    const object = objects.get(`${datatype}/${id}`);
    if (object === undefined) {
      objects.set(`${datatype}/${id}`, { id, datatype, folder, path, paths: new Map([[format, path]]) });
    } else if (object.folder === folder && !object.paths.has(format)) {
      object.paths.set(format, path);
    } else if (object.paths.get(format) !== path) {
      const other = object.paths.get(format) ?? object.path;
      this.#logUnserved(path, `its id is taken by ${relative(process.cwd(), other)}`);
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

  #storedFile(root: Root, id: string, kind: ObjectKind): StoredFile | undefined {
    const data = this.#source(root, id + kind.extension);
    if (data === undefined) return undefined;
    for (const path of indexPaths(id + kind.extension, kind.format)) {
      const index = this.#source(root, path);
      if (index !== undefined) return { format: kind.format, data, index };
    }
    return { format: kind.format, data };
  }

  /** The file at a path below a root; undefined where there is none, also where a link leads out of a served folder. */
  #source({ folder, only }: Root, path: string): ByteSource | undefined {
    const real = realPath(join(folder, path));
    if (real === undefined || (only === undefined && !isBelow(folder, real))) return undefined;
    if (!statSync(real).isFile()) return undefined;
    const cached = this.#sources.get(real);
    if (cached !== undefined) return cached;
    const source = fileSource(real);
    this.#sources.set(real, source);
    return source;
  }
}

/**
 * Where a path leads; undefined if nowhere. It blocks, as the reading of short parts does: by way of Node's thread pool, the
 * paths that a ticket looks for took four times as long as all else.
 */
function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    return toUndefinedIfMissing(error as NodeJS.ErrnoException);
  }
}

/** Undefined for a file that is no htsget object, such as a FASTA. */
async function toRoot(path: string): Promise<Root | undefined> {
  if ((await stat(path)).isDirectory()) return { folder: await realpath(path) };
  const kind = objectKindOf(path);
  return kind && { folder: await realpath(dirname(path)), only: { id: basename(path, kind.extension), kind } };
}

function isServed({ only }: Root, id: string, kind: ObjectKind): boolean {
  return only === undefined || (only.id === id && only.kind === kind);
}

/** The files of objects below a folder. */
async function listObjects(folder: string): Promise<SingleFile[]> {
  return (await listFiles(folder)).flatMap((path) => {
    const kind = objectKindOf(path);
    if (kind === undefined) return [];
    return { id: relative(folder, path).slice(0, -kind.extension.length).split(sep).join('/'), kind };
  });
}
