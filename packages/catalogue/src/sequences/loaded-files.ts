import {
  type CollectionCatalogue,
  createCollectionCatalogue,
  joinCatalogues,
  joinCollections,
  type NamedSequence,
  type SequenceCatalogue,
  sourceCollections,
} from '@htskit/refget';
import type { NamingOptions, SequenceStore } from '@htskit/sequences';
import type { SequenceTable } from '@htskit/sequences/internal';
import type { LoadedFile } from './loaded-file.node.js';
import { SequenceIndex } from './sequence-index.js';

/** A file with this number of sequences is searched by itself, not through the index, which has an object for each sequence. */
const LONG_TABLE = 4096;

/** The files whose sequences are served, by path. */
export class LoadedFiles {
  readonly #stores: readonly SequenceStore[];
  readonly #files = new Map<string, LoadedFile>();
  /** The sequences of the short files. */
  readonly #index = new SequenceIndex();
  /** The sequences of each file in the index. */
  readonly #indexed = new Map<string, readonly NamedSequence[]>();
  #catalogue: SequenceCatalogue = this.#index;
  /** Undefined until they are requested. */
  #collections: CollectionCatalogue | undefined;

  /** The stores are served together with the files. */
  constructor(stores: readonly SequenceStore[]) {
    this.#stores = stores;
    this.#change();
  }

  get size(): number {
    return this.#files.size;
  }

  /** The number of sequences of all files. Stores count nothing: their sequences are not read in advance. */
  get sequenceCount(): number {
    return [...this.#files.values()].reduce((sum, { sequences }) => sum + (sequences?.length ?? 0), 0);
  }

  /** The number of stores, those among the files included. */
  get storeCount(): number {
    return this.#stores.length + [...this.#files.values()].filter(({ store }) => store !== undefined).length;
  }

  /** The sequences of all files and stores. */
  get catalogue(): SequenceCatalogue {
    return this.#catalogue;
  }

  /** The collections of all files and stores. */
  get collections(): CollectionCatalogue {
    this.#collections ??= this.#joinCollections();
    return this.#collections;
  }

  get(path: string): LoadedFile | undefined {
    return this.#files.get(path);
  }

  entries(): IterableIterator<[path: string, LoadedFile]> {
    return this.#files.entries();
  }

  /** Returns the tables of the files that have these naming options. */
  tablesOf(naming: NamingOptions): SequenceTable[] {
    const files = [...this.#files.values()].filter(({ found }) => found.naming === naming);
    return files.flatMap(({ sequences }) => sequences ?? []);
  }

  /** Adds a file under a path that has none. */
  add(path: string, file: LoadedFile): void {
    this.#files.set(path, file);
    if (isShort(file.sequences)) {
      const indexed = [...file.sequences];
      this.#index.add(indexed);
      this.#indexed.set(path, indexed);
    }
    this.#change();
  }

  delete(path: string): void {
    this.#files.delete(path);
    this.#index.remove(this.#indexed.get(path) ?? []);
    this.#indexed.delete(path);
    this.#change();
  }

  /** Yields the sequences of all files. */
  *all(): Generator<NamedSequence, void> {
    for (const { sequences } of this.#files.values()) if (sequences !== undefined) yield* sequences;
  }

  /** Returns the longest sequences of the files, the longest first. */
  longest(limit: number): NamedSequence[] {
    const found = Array.from(this.#files.values(), ({ sequences }) => sequences?.longest(limit) ?? []).flat();
    return found.sort((a, b) => b.metadata.length - a.metadata.length).slice(0, limit);
  }

  /** Returns the paths of the files whose sequences are the collection of a digest. Stores have no such files. */
  pathsOf(digest: string): string[] {
    const found = [...this.#files].filter(([, { sequences }]) => sequences?.collection?.digest === digest);
    return found.map(([path]) => path);
  }

  /** Closes all files and stores. */
  async close(): Promise<void> {
    await Promise.all([...this.#files.values(), ...this.#stores].map((source) => source.close()));
  }

  #joinCollections(): CollectionCatalogue {
    const files = [...this.#files.values()];
    const collections = files.map(({ sequences }) => sequences?.collection);
    const sources = files.map(({ store, collections }) => store?.collections ?? collections);
    return joinCollections([
      createCollectionCatalogue(collections.filter((collection) => collection !== undefined)),
      ...this.#stores.map((store) => sourceCollections(store.collections)),
      ...sources.filter((source) => source !== undefined).map(sourceCollections),
    ]);
  }

  #change(): void {
    const found = Array.from(
      this.#files.values(),
      ({ sequences, store }) => store ?? (isShort(sequences) ? undefined : sequences),
    );
    const others = [...this.#stores, ...found.filter((catalogue) => catalogue !== undefined)];
    this.#catalogue = others.length === 0 ? this.#index : joinCatalogues([this.#index, ...others]);
    this.#collections = undefined;
  }
}

function isShort(table: SequenceTable | undefined): table is SequenceTable {
  return table !== undefined && table.length < LONG_TABLE;
}
