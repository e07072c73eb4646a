import type { ArrayAttribute, CollectionAttribute, SequenceCollection } from '@htskit/sequences';

/** Selects collections and a page of their list. */
export interface CollectionQuery extends ListRange {
  /** Attributes at level 1. A collection must have all of them. */
  readonly filters: readonly CollectionFilter[];
}

/** A page of a list. */
export interface ListRange {
  /** Number of entries before the page. */
  readonly start: number;
  /** Most entries of the page. */
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
    listAttribute(attribute, { start, limit }) {
      const digests = [...new Set(sorted.map(({ attributes }) => attributes[attribute].digest))].sort();
      return { digests: digests.slice(start, start + limit), total: digests.length };
    },
    findAttribute: (attribute, digest) => sorted.find(({ attributes }) => attributes[attribute].digest === digest),
  };
}
