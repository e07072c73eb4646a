import type { ArrayAttribute, CollectionAttribute, SequenceCollection } from '@htskit/sequences';

/** Selects collections and a page of their list. */
export interface CollectionQuery {
  /** Attributes at level 1. A collection must have all of them. */
  readonly filters: readonly CollectionFilter[];
  /** Number of collections before the page. */
  readonly start: number;
  /** Most collections of the page. */
  readonly limit: number;
}

export interface CollectionFilter {
  readonly attribute: CollectionAttribute;
  readonly digest: string;
}

/** A page of a list of collections, by digest. */
export interface CollectionPage {
  readonly digests: readonly string[];
  /** Number of collections on all pages. */
  readonly total: number;
}

/** Finds sequence collections by digest. */
export interface CollectionCatalogue {
  /** Returns the collection of this digest at level 0. */
  find(digest: string): Found;
  /** Returns the digests of the collections, in a stable order. */
  list(query: CollectionQuery): CollectionPage | Promise<CollectionPage>;
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
    findAttribute: (attribute, digest) => sorted.find(({ attributes }) => attributes[attribute].digest === digest),
  };
}
