import { stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import type { SequenceIdentifier } from '@htskit/digest';
import { RefgetError } from '@htskit/protocol';
import {
  type CollectionCatalogue,
  checkNamingAuthority,
  createCatalogue,
  createCollectionCatalogue,
  joinCatalogues,
  type NamedSequence,
  type NamingOptions,
  type Sequence,
  type SequenceCatalogue,
  type SequenceCollection,
  type SequenceStore,
  sequenceCollection,
} from '@htskit/refget';
import { describeError } from './describe-error.js';
import { digestFile } from './digest-file.js';
import type { ProgressBar } from './progress-bar.js';
import { readAliasTable } from './read-alias-table.js';
import {
  listSequenceFiles,
  openSequenceFile,
  type SequenceFile,
  type SequenceFileState,
  statSequenceFile,
} from './sequence-file.js';

/** Milliseconds between two looks at the folders, or twenty times what a look takes where that is more. */
const SCAN_MILLISECONDS = 1000;
/** Shorter files are digested sooner than people notice, and get no file beside them. */
const KEPT_BYTES = 2 ** 22;
/** Seconds after which a client may ask again for what may still be digested. */
const RETRY_AFTER_SECONDS = 5;

export interface SequenceOptions {
  /** Files and folders that hold FASTA, 2bit and RefgetStores. */
  readonly paths: readonly string[];
  /** Stores whose sequences are served, too; they are closed with the others. */
  readonly stores?: readonly SequenceStore[] | undefined;
  /** Who gave the sequences their names; makes each name an alias. */
  readonly namingAuthority?: string | undefined;
  /** Names of sequences that are circular, in whichever file. */
  readonly circular?: readonly string[] | undefined;
  /** Tables of further aliases, read at the start; see `parseAliasTable`. */
  readonly aliases?: readonly string[] | undefined;
  /** Where digests are kept; by default beside each file. */
  readonly cache?: string | undefined;
  /** Told, for people, of what goes wrong. */
  readonly log: (message: string) => void;
  /** Shows people how far the digests of a file are. */
  readonly startProgress?: ((name: string, byteLength: number) => ProgressBar) | undefined;
}

interface LoadedFile extends SequenceFile {
  /** Changes whenever the file does. */
  readonly version: string;
  /** Undefined for a store, and for a file without sequences. */
  readonly collection: SequenceCollection | undefined;
}

/**
 * The sequences of the FASTA and 2bit files below some folders, and of stores. Files that appear, change or vanish are
 * noticed when sequences are asked for; their digests are computed while what is ready is being served. What is not found
 * in the meantime may be there later, so that it is a 503 with Retry-After: clients take a 404 as final, and some keep it.
 */
export class SequenceSources implements SequenceCatalogue {
  readonly #options: SequenceOptions;
  readonly #naming: NamingOptions;
  readonly #closing = new AbortController();
  readonly #loaded = new Map<string, LoadedFile>();
  /** Files that are being digested, or that could not be, by version. */
  readonly #attempted = new Map<string, string>();
  /** Of the files and the stores. */
  #catalogue: SequenceCatalogue;
  #collections: CollectionCatalogue = createCollectionCatalogue([]);
  /** Settles when every file that was found so far has been digested. */
  #loading: Promise<void> = Promise.resolve();
  /** Files that are waiting for that. */
  #pending = 0;
  #scanning: Promise<void> | undefined;
  #nextScan = 0;

  private constructor(options: SequenceOptions, naming: NamingOptions) {
    this.#options = options;
    this.#naming = naming;
    this.#catalogue = joinCatalogues(options.stores ?? []);
  }

  /**
   * Looks at what is there now, and begins to digest it. Throws where a path does not exist, and for aliases and naming
   * authorities that are malformed.
   */
  static async open(options: SequenceOptions): Promise<SequenceSources> {
    await Promise.all(options.paths.map((path) => stat(path)));
    const { namingAuthority, circular, aliases = [] } = options;
    if (namingAuthority !== undefined) checkNamingAuthority(namingAuthority);
    const rows = await Promise.all(aliases.map(readAliasTable));
    const naming = { namingAuthority, circular: new Set(circular), aliases: rows.flat() };
    const paths = options.paths.map((path) => resolve(path));
    const sources = new SequenceSources({ ...options, paths }, naming);
    await sources.#scan();
    return sources;
  }

  get namingAuthorities(): readonly string[] {
    return this.#catalogue.namingAuthorities ?? [];
  }

  async find(identifier: SequenceIdentifier): Promise<readonly Sequence[]> {
    await this.#scan();
    const found = await this.#catalogue.find(identifier);
    if (found.length === 0) this.#refusePending();
    return found;
  }

  /** The sequence collection of each file. */
  get collections(): CollectionCatalogue {
    return {
      find: (digest) => this.#findCollection((collections) => collections.find(digest)),
      findAttribute: (attribute, digest) =>
        this.#findCollection((collections) => collections.findAttribute(attribute, digest)),
      list: async (query) => {
        await this.#scan();
        return this.#collections.list(query);
      },
    };
  }

  /** Those of the files. */
  all(): NamedSequence[] {
    return Array.from(this.#loaded.values(), ({ sequences }) => sequences).flat();
  }

  /** Resolves when all files that were found so far are digested, or could not be. */
  async settled(): Promise<void> {
    while (this.#pending > 0) await this.#loading;
  }

  /** Ends the digesting that is under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#loading;
    const open = [...this.#loaded.values(), ...(this.#options.stores ?? [])];
    await Promise.all(open.map((source) => source.close()));
  }

  async #findCollection(
    find: (collections: CollectionCatalogue) => ReturnType<CollectionCatalogue['find']>,
  ): Promise<SequenceCollection | undefined> {
    await this.#scan();
    const found = await find(this.#collections);
    if (found === undefined) this.#refusePending();
    return found;
  }

  #refusePending(): void {
    if (this.#pending === 0) return;
    throw new RefgetError('Service Unavailable', 'not found among the sequences that are digested so far', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
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
    const found = await this.#findFiles();
    const gone = Array.from(this.#loaded).filter(([file, { version }]) => found.get(file)?.version !== version);
    for (const [file] of gone) this.#loaded.delete(file);
    for (const file of this.#attempted.keys()) if (!found.has(file)) this.#attempted.delete(file);
    if (gone.length > 0) this.#rebuild();
    for (const [file, state] of found) {
      if (this.#loaded.has(file) || this.#attempted.get(file) === state.version) continue;
      this.#attempted.set(file, state.version);
      this.#pending += 1;
      // One after another: each keeps all processors busy, and holds a file open.
      this.#loading = this.#loading.then(() => this.#load(file, state));
    }
  }

  /** The short ones first, which are ready soon. */
  async #findFiles(): Promise<Map<string, SequenceFileState>> {
    const found = new Map<string, SequenceFileState>();
    for (const path of this.#options.paths) {
      for (const file of await listSequenceFiles(path)) {
        const state = await statSequenceFile(file);
        if (state !== undefined) found.set(file, state);
      }
    }
    return new Map([...found].sort(([, a], [, b]) => a.size - b.size));
  }

  async #load(file: string, { version, size }: SequenceFileState): Promise<void> {
    try {
      if (this.#closing.signal.aborted || this.#attempted.get(file) !== version) return;
      const loaded = await this.#open(file, size);
      if (this.#attempted.get(file) !== version) return await loaded.close();
      this.#loaded.set(file, { ...loaded, version });
      this.#attempted.delete(file);
      this.#rebuild();
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#tell(file, `is not served: ${describeError(error)}`);
    } finally {
      this.#pending -= 1;
    }
  }

  async #open(file: string, size: number): Promise<Omit<LoadedFile, 'version'>> {
    const { cache, startProgress } = this.#options;
    const progress = startProgress?.(relative(process.cwd(), file), size);
    const { signal } = this.#closing;
    try {
      const onError = (error: Error): void => this.#tell(file, describeError(error));
      const opened = await openSequenceFile(file, {
        naming: this.#naming,
        keeper: size < KEPT_BYTES ? undefined : digestFile(file, { cache, onError }),
        signal,
        onProgress: ({ bytesRead }) => progress?.update(bytesRead),
      });
      const { sequences, isCollection } = opened;
      const hasCollection = isCollection && sequences.length > 0;
      const collection = hasCollection ? await sequenceCollection(sequences, { signal }) : undefined;
      return { ...opened, collection };
    } finally {
      progress?.stop();
    }
  }

  #tell(file: string, message: string): void {
    this.#options.log(`${relative(process.cwd(), file)} ${message}`);
  }

  #rebuild(): void {
    this.#catalogue = joinCatalogues([createCatalogue(this.all()), ...(this.#options.stores ?? [])]);
    const collections = Array.from(this.#loaded.values(), ({ collection }) => collection);
    this.#collections = createCollectionCatalogue(collections.filter((collection) => collection !== undefined));
  }
}
