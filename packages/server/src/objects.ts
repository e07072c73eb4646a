import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { StoredFile, StoredFormat } from '@htskit/htsget';
import type { Datatype } from '@htskit/protocol';
import type { ByteSource } from '@htskit/storage';
import { fileSource } from '@htskit/storage/file';
import { isBelow, listFiles } from './list-files.js';

/** How a stored form of an object is named on disk, and where its index is looked for, in this order. */
interface FileKind {
  readonly datatype: Datatype;
  readonly format: StoredFormat;
  readonly extension: string;
  readonly indexExtensions: readonly string[];
}

const FILE_KINDS: readonly FileKind[] = [
  { datatype: 'reads', format: 'BAM', extension: '.bam', indexExtensions: ['.bam.bai', '.bai', '.bam.csi'] },
  { datatype: 'reads', format: 'CRAM', extension: '.cram', indexExtensions: ['.cram.crai', '.crai'] },
  { datatype: 'variants', format: 'VCF', extension: '.vcf.gz', indexExtensions: ['.vcf.gz.tbi', '.vcf.gz.csi'] },
  { datatype: 'variants', format: 'VCF', extension: '.vcf.bgz', indexExtensions: ['.vcf.bgz.tbi', '.vcf.bgz.csi'] },
  { datatype: 'variants', format: 'BCF', extension: '.bcf', indexExtensions: ['.bcf.csi'] },
];

/** An htsget object: its id is its path below the served folder, without the extension. */
export interface ObjectEntry {
  readonly id: string;
  readonly datatype: Datatype;
}

interface Root {
  /** The folder that ids are relative to. */
  readonly folder: string;
  /** Where a single file is served: the only id. Its links are followed; those of a folder must not leave it. */
  readonly onlyId?: string;
}

/**
 * The htsget objects below some folders, and single files. Nothing is listed ahead: each id is looked up on disk when
 * it is asked for, so files that appear, change or vanish are noticed.
 */
export class ObjectCatalogue {
  readonly #roots: readonly Root[];
  readonly #sources = new Map<string, ByteSource>();

  private constructor(roots: readonly Root[]) {
    this.#roots = roots;
  }

  /** Throws where a path does not exist. */
  static async open(paths: readonly string[]): Promise<ObjectCatalogue> {
    const roots = await Promise.all(paths.map(toRoot));
    return new ObjectCatalogue(roots.filter((root) => root !== undefined));
  }

  /** The files of an object in the first root that has any; undefined if none has. */
  async resolve(id: string, datatype: Datatype): Promise<readonly StoredFile[] | undefined> {
    for (const root of this.#roots) {
      if (root.onlyId !== undefined && root.onlyId !== id) continue;
      const kinds = FILE_KINDS.filter((kind) => kind.datatype === datatype);
      const files = await Promise.all(kinds.map((kind) => this.#storedFile(root, id, kind)));
      const found = files.filter((file) => file !== undefined);
      if (found.length > 0) return found;
    }
    return undefined;
  }

  /** The objects that are there now, by id. */
  async list(): Promise<ObjectEntry[]> {
    const entries: ObjectEntry[] = [];
    for (const { folder, onlyId } of this.#roots) {
      if (onlyId !== undefined) entries.push({ id: onlyId, datatype: 'reads' });
      for (const path of onlyId === undefined ? await listFiles(folder) : []) {
        const kind = FILE_KINDS.find(({ extension }) => path.endsWith(extension));
        if (kind === undefined) continue;
        const id = relative(folder, path).slice(0, -kind.extension.length).split(sep).join('/');
        entries.push({ id, datatype: kind.datatype });
      }
    }
    return entries.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#sources.values(), async (source) => source.close?.()));
  }

  async #storedFile(root: Root, id: string, kind: FileKind): Promise<StoredFile | undefined> {
    const data = await this.#source(root, id + kind.extension);
    if (data === undefined) return undefined;
    for (const extension of kind.indexExtensions) {
      const index = await this.#source(root, id + extension);
      if (index !== undefined) return { format: kind.format, data, index };
    }
    return { format: kind.format, data };
  }

  /** The file at a path below a root; undefined where there is none, also where a link leads out of a served folder. */
  async #source({ folder, onlyId }: Root, path: string): Promise<ByteSource | undefined> {
    const real = await realpath(join(folder, path)).catch(toUndefinedIfMissing);
    if (real === undefined || (onlyId === undefined && !isBelow(folder, real))) return undefined;
    if (!(await stat(real)).isFile()) return undefined;
    const cached = this.#sources.get(real);
    if (cached !== undefined) return cached;
    const source = fileSource(real);
    this.#sources.set(real, source);
    return source;
  }
}

/** Undefined for a file that is no htsget object, such as a FASTA. */
async function toRoot(path: string): Promise<Root | undefined> {
  if ((await stat(path)).isDirectory()) return { folder: await realpath(path) };
  const kind = FILE_KINDS.find(({ extension }) => path.endsWith(extension));
  return kind && { folder: resolve(dirname(path)), onlyId: basename(path, kind.extension) };
}

/** What is not there is no error; whatever else keeps a path from being read is one. */
function toUndefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(error.code ?? '')) return undefined;
  throw error;
}
