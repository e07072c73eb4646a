import { stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import type { SequenceIdentifier } from '@htskit/digest';
import { createCatalogue, openFasta, type Sequence, type SequenceCatalogue } from '@htskit/refget';
import type { ByteSource } from '@htskit/storage';
import { fileSource } from '@htskit/storage/file';
import { listFiles } from './list-files.js';

const FASTA = /\.(fa|fasta|fna)(\.gz)?$/;

/** Milliseconds between two looks at the folders, or twenty times what a look takes where that is more. */
const SCAN_MILLISECONDS = 1000;

/** Files whose digests take seconds. */
const LONG_BYTES = 2 ** 26;

interface LoadedFasta {
  /** Changes whenever the file does. */
  readonly version: string;
  readonly sequences: readonly Sequence[];
  readonly sources: readonly ByteSource[];
}

/**
 * The sequences of the FASTA files below some folders. Files that appear, change or vanish are noticed when sequences
 * are asked for; their digests are computed while what is ready is being served.
 */
export class SequenceSources implements SequenceCatalogue {
  readonly #paths: readonly string[];
  readonly #log: (message: string) => void;
  readonly #loaded = new Map<string, LoadedFasta>();
  /** Files that are being digested, or that could not be, by version. */
  readonly #attempted = new Map<string, string>();
  #catalogue: SequenceCatalogue = createCatalogue([]);
  /** Settles when every file that was found so far has been digested. */
  #loading: Promise<void> = Promise.resolve();
  #scanning: Promise<void> | undefined;
  #nextScan = 0;

  private constructor(paths: readonly string[], log: (message: string) => void) {
    this.#paths = paths;
    this.#log = log;
  }

  /** Loads what is there now. Throws where a path does not exist. */
  static async open(paths: readonly string[], log: (message: string) => void): Promise<SequenceSources> {
    await Promise.all(paths.map((path) => stat(path)));
    const sources = new SequenceSources(
      paths.map((path) => resolve(path)),
      log,
    );
    await sources.#scan();
    await sources.#loading;
    return sources;
  }

  async find(identifier: SequenceIdentifier): Promise<readonly Sequence[]> {
    await this.#scan();
    return this.#catalogue.find(identifier);
  }

  all(): Sequence[] {
    return Array.from(this.#loaded.values(), ({ sequences }) => sequences).flat();
  }

  async close(): Promise<void> {
    const sources = Array.from(this.#loaded.values(), (loaded) => loaded.sources).flat();
    await Promise.all(sources.map(async (source) => source.close?.()));
  }

  /** Looks at the folders if that is due, and begins to load what is new there. */
  async #scan(): Promise<void> {
    if (this.#scanning !== undefined) return this.#scanning;
    const started = performance.now();
    if (started < this.#nextScan) return;
    this.#scanning = this.#lookAtFolders();
    try {
      await this.#scanning;
    } finally {
      const ended = performance.now();
      this.#nextScan = ended + Math.max(SCAN_MILLISECONDS, (ended - started) * 20);
      this.#scanning = undefined;
    }
  }

  async #lookAtFolders(): Promise<void> {
    const found = new Map<string, string>();
    for (const path of this.#paths) {
      for (const file of await fastaFiles(path)) found.set(file, await fastaVersion(file));
    }
    const gone = Array.from(this.#loaded).filter(([file, { version }]) => found.get(file) !== version);
    for (const [file] of gone) this.#loaded.delete(file);
    for (const file of this.#attempted.keys()) if (!found.has(file)) this.#attempted.delete(file);
    if (gone.length > 0) this.#rebuild();
    for (const [file, version] of found) {
      if (this.#loaded.has(file) || this.#attempted.get(file) === version) continue;
      this.#attempted.set(file, version);
      // One after another: each is a whole core's work, and holds a file open.
      this.#loading = this.#loading.then(() => this.#load(file, version));
    }
  }

  async #load(file: string, version: string): Promise<void> {
    try {
      if ((await stat(file)).size >= LONG_BYTES)
        this.#log(`${relative(process.cwd(), file)} is being read for its digests`);
      const sources = await openSources(file);
      const sequences = await openFasta(sources);
      if (this.#attempted.get(file) !== version) return;
      this.#loaded.set(file, { version, sequences, sources: Object.values(sources) });
      this.#attempted.delete(file);
      this.#rebuild();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#log(`${relative(process.cwd(), file)} is not served: ${reason}`);
    }
  }

  #rebuild(): void {
    this.#catalogue = createCatalogue(this.all());
  }
}

/** None where the path has gone. */
async function fastaFiles(path: string): Promise<string[]> {
  const stats = await stat(path).catch(() => undefined);
  const files = stats?.isDirectory() === true ? await listFiles(path) : stats === undefined ? [] : [path];
  return files.filter(isFastaFile);
}

/** Whether the name of a file is that of a FASTA. */
export function isFastaFile(path: string): boolean {
  return FASTA.test(path);
}

/** Differs whenever the file or one of its indexes does: a copy that was incomplete is tried again when it is whole. */
async function fastaVersion(file: string): Promise<string> {
  const versions = await Promise.all([file, `${file}.fai`, `${file}.gzi`].map(versionOf));
  return versions.join(' ');
}

async function versionOf(file: string): Promise<string> {
  const stats = await stat(file, { bigint: true }).catch(() => undefined);
  return stats === undefined ? '' : `${stats.mtimeNs}-${stats.size}-${stats.ino}`;
}

async function openSources(file: string): Promise<{ data: ByteSource; fai?: ByteSource; gzi?: ByteSource }> {
  const isThere = async (path: string): Promise<boolean> => (await versionOf(path)) !== '';
  return {
    data: fileSource(file),
    ...((await isThere(`${file}.fai`)) && { fai: fileSource(`${file}.fai`) }),
    ...((await isThere(`${file}.gzi`)) && { gzi: fileSource(`${file}.gzi`) }),
  };
}
