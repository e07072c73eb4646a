import type { ArrayAttribute, CollectionAttribute } from './collection-attributes.js';
import type { SequenceCollection } from './sequence-collection.js';

/** Which collections are listed, and which part of the list is wanted. */
export interface CollectionQuery {
  /** Attributes at level 1, all of which a collection must have. */
  readonly filters: readonly CollectionFilter[];
  /** Collections before the page. */
  readonly start: number;
  /** Collections of the page at most. */
  readonly limit: number;
}

export interface CollectionFilter {
  readonly attribute: CollectionAttribute;
  readonly digest: string;
}

/** A part of a list of collections, by digest. */
export interface CollectionPage {
  readonly digests: readonly string[];
  /** Collections of all pages. */
  readonly total: number;
}

/** Finds sequence collections by digest. */
export interface CollectionCatalogue {
  /** The collection of this digest at level 0. */
  find(digest: string): Found;
  /** The digests of the collections, in an order that stays as long as the collections do. */
  list(query: CollectionQuery): CollectionPage | Promise<CollectionPage>;
  /** Any collection with this attribute at level 1. */
  findAttribute(attribute: ArrayAttribute, digest: string): Found;
}

type Found = SequenceCollection | undefined | Promise<SequenceCollection | undefined>;

/** A catalogue of collections in memory, listed by digest; equal ones are one. */
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
