import { relative } from 'node:path';
import type { SequenceIdentifier } from '@htskit/digest';
import { StorageError } from '@htskit/io';
import { RefgetError } from '@htskit/protocol';
import {
  type CollectionCatalogue,
  createCollectionCatalogue,
  joinCatalogues,
  type SequenceCatalogue,
  type SequenceCollection,
  sequenceCollection,
} from '@htskit/refget';
import type { NamedSequence, Sequence, SequenceStore } from '@htskit/sequences';
import { describeError } from './describe-error.js';
import { digestFile } from './digest-file.js';
import type { FailedFile, LoadedFile } from './loaded-file.js';
import type { ProgressBar } from './progress-bar.js';
import { isSystemError } from './replace-file.js';
import { openSequenceFile } from './sequence-file.js';
import { SequenceIndex } from './sequence-index.js';
import {
  type FoundFile,
  findSequenceFiles,
  openSequenceRoots,
  type SequencePaths,
  type SequenceRoot,
} from './sequence-roots.js';

/** Milliseconds between two looks at the folders, or twenty times what a look takes where that is more. */
const SCAN_MILLISECONDS = 1000;
/** After a failure that may pass, the longest pause before the file is tried again. */
const MAX_RETRY_MILLISECONDS = 300_000;
/** Shorter files are digested sooner than people notice, and get no file beside them. */
const KEPT_BYTES = 2 ** 22;
/** Seconds after which a client may ask again for what may still be digested. */
const RETRY_AFTER_SECONDS = 5;

export interface SequenceOptions extends SequencePaths {
  /** Further files, of which other things are known. Of a file that is there several times, what is said first holds. */
  readonly sources?: readonly SequencePaths[] | undefined;
  /** Stores whose sequences are served, too; they are closed with the others. */
  readonly stores?: readonly SequenceStore[] | undefined;
  /** Where digests are kept; by default beside each file. */
  readonly cache?: string | undefined;
  /** Told, for people, of what goes wrong. */
  readonly log: (message: string) => void;
  /** Shows people how far the digests of a file are. */
  readonly startProgress?: ((name: string, byteLength: number) => ProgressBar) | undefined;
}

/**
 * The sequences of the FASTA and 2bit files below some folders, and of stores. Files that appear, change or vanish are
 * noticed when sequences are asked for; their digests are computed while what is ready is being served. What is not found
 * in the meantime may be there later, so that it is a 503 with Retry-After: clients take a 404 as final, and some keep it.
 */
export class SequenceSources implements SequenceCatalogue {
  readonly #options: SequenceOptions;
  readonly #roots: readonly SequenceRoot[];
  readonly #closing = new AbortController();
  readonly #loaded = new Map<string, LoadedFile>();
  /** Files that are being digested, or are waiting for that, as they were found last. They may be served as they were. */
  readonly #queued = new Map<string, FoundFile>();
  readonly #failed = new Map<string, FailedFile>();
  /** The sequences of the files that are loaded. */
  readonly #index = new SequenceIndex();
  /** Of what is loaded, and of the stores. */
  #catalogue: SequenceCatalogue = this.#index;
  /** Those of the files that are loaded; undefined until they are asked for. */
  #collections: CollectionCatalogue | undefined;
  /** Settles when the queue is empty. */
  #loading: Promise<void> = Promise.resolve();
  #scanning: Promise<void> | undefined;
  #nextScan = 0;
  /** Why the folders cannot be looked at, as it was told. */
  #scanFailure: string | undefined;

  private constructor(options: SequenceOptions, roots: readonly SequenceRoot[]) {
    this.#options = options;
    this.#roots = roots;
    this.#joinStores();
  }

  /**
   * Looks at what is there now, and begins to digest it. Throws where a path does not exist, and for aliases and naming
   * authorities that are malformed.
   */
  static async open(options: SequenceOptions): Promise<SequenceSources> {
    const roots = await Promise.all([options, ...(options.sources ?? [])].map(openSequenceRoots));
    const sources = new SequenceSources(options, roots.flat());
    await sources.#scan();
    return sources;
  }

  get namingAuthorities(): readonly string[] {
    return this.#catalogue.namingAuthorities ?? [];
  }

  async find(identifier: SequenceIdentifier): Promise<readonly Sequence[]> {
    await this.#refresh();
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
        await this.#refresh();
        return this.#listedCollections().list(query);
      },
    };
  }

  /** Whether there is neither a file nor a store. */
  get isEmpty(): boolean {
    return this.#loaded.size === 0 && this.#queued.size === 0 && (this.#options.stores ?? []).length === 0;
  }

  /** Those of the files. */
  all(): NamedSequence[] {
    return Array.from(this.#loaded.values(), ({ sequences }) => sequences).flat();
  }

  /** Resolves when all files that were found so far are digested, or could not be. */
  async settled(): Promise<void> {
    while (this.#queued.size > 0) await this.#loading;
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
    await this.#refresh();
    const found = await find(this.#listedCollections());
    if (found === undefined) this.#refusePending();
    return found;
  }

  #refusePending(): void {
    if (this.#queued.size === 0) return;
    throw new RefgetError('Service Unavailable', 'not found among the sequences that are digested so far', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }

  /** As `#scan`. While the folders cannot be read, what was found there before is served, and why is told once. */
  async #refresh(): Promise<void> {
    try {
      await this.#scan();
    } catch (error) {
      const failure = describeError(error);
      if (failure === this.#scanFailure) return;
      this.#scanFailure = failure;
      this.#options.log(`sequences are served as they were found before: ${failure}`);
    }
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
    const found = await findSequenceFiles(this.#roots);
    this.#scanFailure = undefined;
    for (const [file, loaded] of this.#loaded) {
      if (found.get(file)?.dataVersion !== loaded.found.dataVersion) await this.#unload(file);
    }
    for (const file of this.#queued.keys()) if (!found.has(file)) this.#queued.delete(file);
    for (const file of this.#failed.keys()) if (!found.has(file)) this.#failed.delete(file);
    for (const [file, state] of found) {
      if (!this.#isDue(file, state)) continue;
      this.#queued.set(file, state);
      // One after another: each keeps all processors busy, and holds a file open.
      this.#loading = this.#loading.then(() => this.#load(file, state));
    }
  }

  /** Whether a file is to be loaded that is neither served as it is now, nor queued, nor has failed a moment ago. */
  #isDue(file: string, { version }: FoundFile): boolean {
    const queued = this.#queued.get(file);
    if (queued !== undefined) return queued.version !== version;
    const failed = this.#failed.get(file);
    if (failed?.found.version === version) return performance.now() >= failed.retryAt;
    return this.#loaded.get(file)?.found.version !== version;
  }

  async #load(file: string, found: FoundFile): Promise<void> {
    // It may have changed again, and be queued as it is now, or have gone.
    const isWanted = (): boolean => !this.#closing.signal.aborted && this.#queued.get(file) === found;
    try {
      if (!isWanted()) return;
      const loaded = await this.#open(file, found);
      if (!isWanted()) return await loaded.close();
      // What was served of it so far is exchanged at once.
      const unloaded = this.#unload(file);
      this.#loaded.set(file, { ...loaded, found });
      this.#index.add(loaded.sequences);
      this.#collections = undefined;
      if (loaded.store !== undefined) this.#joinStores();
      this.#failed.delete(file);
      await unloaded;
    } catch (error) {
      if (isWanted()) await this.#fail(file, found, error);
    } finally {
      if (this.#queued.get(file) === found) this.#queued.delete(file);
    }
  }

  /** What may pass is tried again, ever less often, and told of once; what was served of the file so far is served on. */
  async #fail(file: string, found: FoundFile, error: unknown): Promise<void> {
    const before = this.#failed.get(file);
    const failureCount = before?.found.version === found.version ? before.failureCount + 1 : 1;
    const mayPass = error instanceof StorageError || isSystemError(error);
    if (!mayPass) await this.#unload(file);
    const message = `is ${this.#loaded.has(file) ? 'served as it was' : 'not served'}: ${describeError(error)}`;
    const pause = mayPass ? Math.min(SCAN_MILLISECONDS * 2 ** failureCount, MAX_RETRY_MILLISECONDS) : Infinity;
    this.#failed.set(file, { found, message, failureCount, retryAt: performance.now() + pause });
    if (failureCount === 1 || before?.message !== message) this.#tell(file, message);
  }

  async #unload(file: string): Promise<void> {
    const loaded = this.#loaded.get(file);
    if (loaded === undefined) return;
    this.#loaded.delete(file);
    this.#index.remove(loaded.sequences);
    this.#collections = undefined;
    if (loaded.store !== undefined) this.#joinStores();
    // Answers that run may still read from it: what they need is opened again.
    await loaded.close();
  }

  async #open(file: string, { size, naming, dataVersion }: FoundFile): Promise<Omit<LoadedFile, 'found'>> {
    const { cache, startProgress } = this.#options;
    const progress = startProgress?.(relative(process.cwd(), file), size);
    const { signal } = this.#closing;
    try {
      const onError = (error: Error): void => this.#tell(file, describeError(error));
      const opened = await openSequenceFile(file, {
        naming,
        keeper: size < KEPT_BYTES ? undefined : digestFile(file, { cache, dataVersion, onError }),
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

  #joinStores(): void {
    const found = Array.from(this.#loaded.values(), ({ store }) => store).filter((store) => store !== undefined);
    this.#catalogue = joinCatalogues([this.#index, ...(this.#options.stores ?? []), ...found]);
  }

  #listedCollections(): CollectionCatalogue {
    const collections = Array.from(this.#loaded.values(), ({ collection }) => collection);
    this.#collections ??= createCollectionCatalogue(collections.filter((collection) => collection !== undefined));
    return this.#collections;
  }
}
