import type { CollectionSource, SequenceCollection } from '@htskit/sequences';
import type { ArrayAttribute, CollectionAttribute } from '@htskit/sequences/internal';

/** Selects collections and a page of their list. */
export interface CollectionQuery extends ListRange {
  /** Attributes at level 1. A collection must have all of them. */
  readonly filters: readonly CollectionFilter[];
}

/** A page of a list. */
interface ListRange {
  /** Number of entries before the page. */
  readonly start: number;
  /** The maximum number of entries of the page. */
  readonly limit: number;
}

export interface CollectionFilter {
  readonly attribute: CollectionAttribute;
  readonly digest: string;
}

/** A page of a list of collections or of attributes, by digest. */
export interface CollectionPage {
  readonly digests: readonly string[];
  /** Number of digests on all pages. */
  readonly total: number;
}

/** Finds sequence collections by digest. */
export interface CollectionCatalogue {
  /** Returns the collection of this digest at level 0. */
  find(digest: string): Found;
  /** Returns the digests of the collections, in a stable order. */
  list(query: CollectionQuery): CollectionPage | Promise<CollectionPage>;
  /** Returns the digests that an attribute has at level 1 in any collection, each once, in a stable order. */
  listAttribute(attribute: CollectionAttribute, range: ListRange): CollectionPage | Promise<CollectionPage>;
  /** Returns any collection with this attribute at level 1. */
  findAttribute(attribute: ArrayAttribute, digest: string): Found;
}

type Found = SequenceCollection | undefined | Promise<SequenceCollection | undefined>;

/**
 * Creates a catalogue of collections in memory, sorted by digest. Equal collections are listed once.
 *
 * @example
 * const collections = createCollectionCatalogue([await sequenceCollection(sequences)]);
 * const handle = createRefgetHandler({ catalogue: createCatalogue(sequences), collections });
 */
export function createCollectionCatalogue(collections: Iterable<SequenceCollection>): CollectionCatalogue {
  const byDigest = new Map<string, SequenceCollection>();
  for (const collection of collections) byDigest.set(collection.digest, collection);
  const sorted = [...byDigest.keys()].sort().flatMap((digest) => byDigest.get(digest) ?? []);
  return {
    find: (digest) => byDigest.get(digest),
    list({ filters, start, limit }) {
      const listed = sorted.filter(({ attributes }) =>
        filters.every(({ attribute, digest }) => attributes[attribute].digest === digest),
      );
      return { digests: listed.slice(start, start + limit).map(({ digest }) => digest), total: listed.length };
    },
    listAttribute: (attribute, range) =>
      toPage(
        sorted.map(({ attributes }) => attributes[attribute].digest),
        range,
      ),
    findAttribute: (attribute, digest) => sorted.find(({ attributes }) => attributes[attribute].digest === digest),
  };
}

/** Returns the collections of a store as a catalogue. */
export function sourceCollections(source: CollectionSource): CollectionCatalogue {
  const listAll = async (filters: readonly CollectionFilter[]): Promise<string[]> => {
    const summaries = (await source.list()).filter(({ attributes }) =>
      filters.every(({ attribute, digest }) => attributes[attribute] === digest),
    );
    return summaries.map(({ digest }) => digest).sort();
  };
  return {
    find: (digest) => source.find(digest),
    list: async ({ filters, ...range }) => toPage(await listAll(filters), range),
    async listAttribute(attribute, range) {
      const summaries = await source.list();
      return toPage(
        summaries.flatMap(({ attributes }) => attributes[attribute] ?? []),
        range,
      );
    },
    async findAttribute(attribute, digest) {
      for (const listed of await listAll([{ attribute, digest }])) {
        const collection = await source.find(listed);
        // The list of a RefgetStore is not verified.
        if (collection?.attributes[attribute].digest === digest) return collection;
      }
      return undefined;
    },
  };
}

/**
 * Joins several catalogues of collections into one. Equal collections are listed once. A catalogue that fails is skipped if
 * another one knows the collection; a list needs all of them.
 *
 * @example
 * const { collections: stored } = await openSequenceStore(store);
 * const collections = joinCollections([createCollectionCatalogue([genome]), sourceCollections(stored)]);
 */
export function joinCollections(catalogues: readonly CollectionCatalogue[]): CollectionCatalogue {
  const findFirst = async (
    find: (catalogue: CollectionCatalogue) => Found,
  ): Promise<SequenceCollection | undefined> => {
    let failure: { readonly error: unknown } | undefined;
    for (const catalogue of catalogues) {
      try {
        const found = await find(catalogue);
        if (found !== undefined) return found;
      } catch (error) {
        failure ??= { error };
      }
    }
    if (failure !== undefined) throw failure.error;
    return undefined;
  };
  const joinPages = async (
    listAll: (catalogue: CollectionCatalogue) => CollectionPage | Promise<CollectionPage>,
    range: ListRange,
  ): Promise<CollectionPage> => {
    const pages = await Promise.all(catalogues.map(async (catalogue) => listAll(catalogue)));
    return toPage(
      pages.flatMap(({ digests }) => digests),
      range,
    );
  };
  return {
    find: (digest) => findFirst((catalogue) => catalogue.find(digest)),
    findAttribute: (attribute, digest) => findFirst((catalogue) => catalogue.findAttribute(attribute, digest)),
    list: ({ filters, ...range }) => joinPages((catalogue) => catalogue.list({ filters, ...WHOLE_LIST }), range),
    listAttribute: (attribute, range) =>
      joinPages((catalogue) => catalogue.listAttribute(attribute, WHOLE_LIST), range),
  };
}

const WHOLE_LIST: ListRange = { start: 0, limit: Number.MAX_SAFE_INTEGER };

/** Returns a page of digests, each once and in order. */
function toPage(digests: readonly string[], { start, limit }: ListRange): CollectionPage {
  const sorted = [...new Set(digests)].sort();
  return { digests: sorted.slice(start, start + limit), total: sorted.length };
}
