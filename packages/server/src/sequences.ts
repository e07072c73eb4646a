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
  /** The files that are being digested. */
  readonly #loading = new Set<Promise<void>>();
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
    await Promise.all(sources.#loading);
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
    // A folder that cannot be read, perhaps only for the moment, is no reason to stop serving what is loaded.
    this.#scanning = this.#lookAtFolders().catch((error: unknown) =>
      this.#log(`cannot look for FASTA: ${toText(error)}`),
    );
    await this.#scanning;
    const ended = performance.now();
    this.#nextScan = ended + Math.max(SCAN_MILLISECONDS, (ended - started) * 20);
    this.#scanning = undefined;
  }

  async #lookAtFolders(): Promise<void> {
    const found = new Map<string, string>();
    for (const path of this.#paths) {
      for (const file of await fastaFiles(path)) found.set(file, await versionOf(file));
    }
    const gone = Array.from(this.#loaded).filter(([file, { version }]) => found.get(file) !== version);
    for (const [file] of gone) this.#loaded.delete(file);
    if (gone.length > 0) this.#rebuild();
    for (const [file, version] of found) {
      if (this.#loaded.has(file) || this.#attempted.get(file) === version) continue;
      const loading = this.#load(file, version);
      this.#loading.add(loading);
      void loading.finally(() => this.#loading.delete(loading));
    }
  }

  async #load(file: string, version: string): Promise<void> {
    this.#attempted.set(file, version);
    try {
      const sources = await openSources(file);
      const sequences = await openFasta(sources);
      if (this.#attempted.get(file) !== version) return;
      this.#loaded.set(file, { version, sequences, sources: Object.values(sources) });
      this.#attempted.delete(file);
      this.#rebuild();
    } catch (error) {
      const name = relative(process.cwd(), file);
      this.#log(`${name} is not served: ${toText(error)}`);
    }
  }

  #rebuild(): void {
    this.#catalogue = createCatalogue(this.all());
  }
}

function toText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function fastaFiles(path: string): Promise<string[]> {
  const files = (await stat(path)).isDirectory() ? await listFiles(path) : [path];
  return files.filter((file) => FASTA.test(file));
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
