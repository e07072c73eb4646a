import { relative } from 'node:path';
import type { SequenceIdentifier } from '@htskit/digest';
import { StorageError } from '@htskit/io';
import { RefgetError } from '@htskit/protocol';
import type { CollectionCatalogue, SequenceCatalogue, SequenceCollection } from '@htskit/refget';
import type { NamedSequence, NamingOptions, Sequence, SequenceStore } from '@htskit/sequences';
import type { Blocking } from '@htskit/storage/file';
import type { StoredSequences } from '../drs/sequence-files.js';
import { describeError, isSystemError } from '../files/file-errors.node.js';
import type { Decrypt } from '../objects/object-catalogue.js';
import { type DigestProgressDisplay, type LoadedFile, loadFile } from './loaded-file.node.js';
import { LoadedFiles } from './loaded-files.js';
import { findNamedFile } from './named-file.node.js';
import {
  type FoundFile,
  findSequenceFiles,
  openSequenceRoots,
  type SequencePaths,
  type SequenceRoot,
} from './sequence-roots.node.js';
import type { FastaSettings } from './table/fasta-table.node.js';
import { TableError } from './table/table-job.node.js';
import { describeUnknownNames, findUnknownNames } from './unknown-names.js';

/** Milliseconds between two scans of the folders; at least twenty times the duration of a scan. */
const SCAN_MILLISECONDS = 1000;
/** Longest delay in milliseconds before a file is retried after a transient failure. */
const MAX_RETRY_MILLISECONDS = 300_000;
/** `Retry-After` of a request for a sequence that may still be digested, in seconds. */
const RETRY_AFTER_SECONDS = 5;

export interface WatchedSequenceOptions extends SequencePaths, FastaSettings {
  /** Further files with other naming options. The first options apply to a file that is listed several times. */
  readonly sources?: readonly SequencePaths[];
  /** Sequence stores to include; they are closed together with the files. */
  readonly stores?: readonly SequenceStore[];
  /** Whether short reads of files block the thread. Default `auto`: unless the file system is remote or slow. */
  readonly blocking?: Blocking;
  /**
   * Decrypts files such as `genome.fa.gz.c4gh`, whose sequences are then answered plain. Default: such files are reported, and not
   * served.
   */
  readonly decrypt?: Decrypt | undefined;
  /** Receives messages about files that cannot be served. */
  readonly log: (message: string) => void;
  /** Called when a file is being digested; the result reports the progress. */
  readonly startProgress?: (name: string, byteLength: number) => DigestProgressDisplay;
}

/** A file that could not be loaded. */
interface FailedFile {
  readonly found: FoundFile;
  readonly message: string;
  /** Consecutive failures without a success or a change of the file. */
  readonly failureCount: number;
  /** When the file is retried, by `performance.now()`; infinite until the file changes, if it is malformed. */
  readonly retryAt: number;
}

/**
 * Serves the sequences of the FASTA and 2bit files below folders, and those of stores. Files that appear, change or are
 * deleted are noticed when a sequence is requested; their digests are computed while other sequences are being served. Until
 * then an unknown sequence is answered with 503 and Retry-After, since clients treat 404 as final and some cache it.
 */
export class WatchedSequences implements SequenceCatalogue {
  readonly #options: WatchedSequenceOptions;
  readonly #roots: readonly SequenceRoot[];
  readonly #closing = new AbortController();
  readonly #loaded: LoadedFiles;
  /** Returns the paths of the loaded files whose sequences are the collection of a digest. */
  readonly pathsOf: LoadedFiles['pathsOf'] = (digest) => this.#loaded.pathsOf(digest);
  /** Files that are being digested or wait for it. An earlier state of them may still be served. */
  readonly #queued = new Map<string, FoundFile>();
  readonly #failed = new Map<string, FailedFile>();
  /** The last message about the names of options that no sequence has. */
  readonly #unknownNames = new Map<NamingOptions, string>();
  /** Settles when the queue is empty. */
  #loading: Promise<void> = Promise.resolve();
  #scanning: Promise<void> | undefined;
  #nextScan = 0;
  /** The last failure to scan the folders that was logged. */
  #scanFailure: string | undefined;

  private constructor(options: WatchedSequenceOptions, roots: readonly SequenceRoot[]) {
    this.#options = options;
    this.#roots = roots;
    this.#loaded = new LoadedFiles(options.stores ?? []);
  }

  /**
   * Scans the paths and starts to digest the files found. Throws system errors for a path that does not exist, and Error for
   * malformed aliases or naming authorities.
   */
  static async open(options: WatchedSequenceOptions): Promise<WatchedSequences> {
    const roots = await Promise.all([options, ...(options.sources ?? [])].map(openSequenceRoots));
    const sources = new WatchedSequences(options, roots.flat());
    await sources.#scan();
    return sources;
  }

  get namingAuthorities(): readonly string[] {
    return this.#loaded.catalogue.namingAuthorities ?? [];
  }

  async find(identifier: SequenceIdentifier): Promise<readonly Sequence[]> {
    const found = await (await this.#refreshed()).catalogue.find(identifier);
    if (found.length === 0) this.#refusePending();
    return found;
  }

  /** The sequence collections, one per file. */
  get collections(): CollectionCatalogue {
    return {
      find: (digest) => this.#findCollection((collections) => collections.find(digest)),
      findAttribute: (attribute, digest) =>
        this.#findCollection((collections) => collections.findAttribute(attribute, digest)),
      list: async (query) => (await this.#refreshed()).collections.list(query),
      listAttribute: async (attribute, range) => (await this.#refreshed()).collections.listAttribute(attribute, range),
    };
  }

  /** Whether there are no files and no stores. */
  get isEmpty(): boolean {
    return this.#loaded.size === 0 && this.#queued.size === 0 && (this.#options.stores ?? []).length === 0;
  }

  /** The numbers of what is served now, and of the files that are not because they are damaged or cannot be read. */
  get counts(): { readonly sequences: number; readonly stores: number; readonly failedFiles: number } {
    const { sequenceCount: sequences, storeCount: stores } = this.#loaded;
    return { sequences, stores, failedFiles: this.#failed.size };
  }

  /** Yields the sequences of all loaded files. */
  all(): Iterable<NamedSequence> {
    return this.#loaded.all();
  }

  /** Returns the longest sequences of the loaded files, the longest first. */
  longest(limit: number): NamedSequence[] {
    return this.#loaded.longest(limit);
  }

  /** Returns the loaded file with a name: its path below one of the paths that are served. */
  async findFile(name: string): Promise<StoredSequences | undefined> {
    const loaded = await this.#refreshed();
    return findNamedFile(name, { roots: this.#roots, loaded, blocking: this.#options.blocking });
  }

  /** Resolves when every file found so far has been digested or has failed. */
  async settled(): Promise<void> {
    while (this.#queued.size > 0) await this.#loading;
  }

  /** Stops digesting and closes all files and stores. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#loading;
    await this.#loaded.close();
  }

  async #findCollection(
    find: (collections: CollectionCatalogue) => ReturnType<CollectionCatalogue['find']>,
  ): Promise<SequenceCollection | undefined> {
    const found = await find((await this.#refreshed()).collections);
    if (found === undefined) this.#refusePending();
    return found;
  }

  #refusePending(): void {
    if (this.#queued.size === 0) return;
    throw new RefgetError('Service Unavailable', 'not found among the sequences digested so far', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }

  /** Returns the files after a scan of the folders. If they cannot be read, the sequences found before are still served and the failure is logged once. */
  async #refreshed(): Promise<LoadedFiles> {
    try {
      await this.#scan();
    } catch (error) {
      const failure = describeError(error);
      if (failure !== this.#scanFailure) {
        this.#options.log(`cannot scan for sequences, serving those found before: ${failure}`);
      }
      this.#scanFailure = failure;
    }
    return this.#loaded;
  }

  /** Scans the folders if a scan is due, and starts to load new files. */
  async #scan(): Promise<void> {
    if (this.#scanning !== undefined) return this.#scanning;
    const started = performance.now();
    if (started < this.#nextScan) return;
    this.#scanning = this.#scanFolders();
    try {
      await this.#scanning;
    } finally {
      const ended = performance.now();
      this.#nextScan = ended + Math.max(SCAN_MILLISECONDS, (ended - started) * 20);
      this.#scanning = undefined;
    }
  }

  async #scanFolders(): Promise<void> {
    const found = await findSequenceFiles(this.#roots);
    this.#scanFailure = undefined;
    let hasLost = false;
    for (const [file, loaded] of this.#loaded.entries()) {
      if (found.get(file)?.dataVersion === loaded.found.dataVersion) continue;
      await this.#unload(file);
      hasLost = true;
    }
    for (const file of this.#queued.keys()) if (!found.has(file)) this.#queued.delete(file);
    for (const file of this.#failed.keys()) if (!found.has(file)) hasLost = this.#failed.delete(file);
    for (const [file, state] of found) {
      if (!this.#isDue(file, state)) continue;
      this.#queued.set(file, state);
      // One file at a time: each keeps all processors busy and a file open.
      this.#loading = this.#loading.then(() => this.#load(file, state));
    }
    if (hasLost && this.#queued.size === 0) this.#loading = this.#loading.then(() => this.#reportUnknownNames());
  }

  /** Returns whether a file must be loaded: its current version is not served, queued or waiting for a retry. */
  #isDue(file: string, { version }: FoundFile): boolean {
    const queued = this.#queued.get(file);
    if (queued !== undefined) return queued.version !== version;
    const failed = this.#failed.get(file);
    if (failed?.found.version === version) return performance.now() >= failed.retryAt;
    return this.#loaded.get(file)?.found.version !== version;
  }

  async #load(file: string, found: FoundFile): Promise<void> {
    // The file may have changed again and been queued anew, or been deleted.
    const isWanted = (): boolean => !this.#closing.signal.aborted && this.#queued.get(file) === found;
    try {
      if (!isWanted()) return;
      const loaded = await this.#open(file, found);
      if (!isWanted()) return await loaded.close();
      // The earlier state of the file is replaced in one step.
      const unloaded = this.#unload(file);
      this.#loaded.add(file, loaded);
      this.#failed.delete(file);
      await unloaded;
    } catch (error) {
      if (isWanted()) await this.#fail(file, found, error);
    } finally {
      if (this.#queued.get(file) === found) this.#queued.delete(file);
      if (this.#queued.size === 0) await this.#reportUnknownNames();
    }
  }

  /** Transient failures are retried with growing delays and logged once; the earlier state of the file is still served. */
  async #fail(file: string, found: FoundFile, error: unknown): Promise<void> {
    const before = this.#failed.get(file);
    const failureCount = before?.found.version === found.version ? before.failureCount + 1 : 1;
    const isTransient =
      error instanceof TableError ? error.isTransient : error instanceof StorageError || isSystemError(error);
    if (!isTransient) await this.#unload(file);
    const message = `is ${this.#loaded.get(file) !== undefined ? 'served in its earlier version' : 'not served'}: ${describeError(error)}`;
    const pause = isTransient ? Math.min(SCAN_MILLISECONDS * 2 ** failureCount, MAX_RETRY_MILLISECONDS) : Infinity;
    this.#failed.set(file, { found, message, failureCount, retryAt: performance.now() + pause });
    if (failureCount === 1 || before?.message !== message) this.#log(file, message);
  }

  /** Reports the names in the options that no sequence has, each time that they change. */
  async #reportUnknownNames(): Promise<void> {
    const { signal } = this.#closing;
    // The sequences of a file that is not served may have the names.
    if (this.#failed.size > 0) return;
    for (const naming of new Set(this.#roots.map((root) => root.naming))) {
      if (signal.aborted) return;
      const unknown = await findUnknownNames(naming, this.#loaded.tablesOf(naming), signal).catch(() => []);
      const message = unknown.length === 0 ? '' : describeUnknownNames(unknown);
      if (message === (this.#unknownNames.get(naming) ?? '')) continue;
      this.#unknownNames.set(naming, message);
      if (message !== '') this.#options.log(message);
    }
  }

  async #unload(file: string): Promise<void> {
    const loaded = this.#loaded.get(file);
    if (loaded === undefined) return;
    this.#loaded.delete(file);
    // Running responses may still read from it: the file is then reopened.
    await loaded.close();
  }

  #open(file: string, found: FoundFile): Promise<LoadedFile> {
    const warn = (message: string): void => this.#log(`${file}:`, message);
    return loadFile(file, found, { ...this.#options, signal: this.#closing.signal, warn });
  }

  #log(file: string, message: string): void {
    this.#options.log(`${relative(process.cwd(), file)} ${message}`);
  }
}
