import type { CollectionAttribute } from './collection-attributes.js';
import type { SequenceCollection } from './sequence-collection.js';

/** A collection at level 1. */
export interface CollectionSummary {
  readonly digest: string;
  /** Number of sequences. */
  readonly length: number;
  /** The digests of the attributes that are known without reading the collection. */
  readonly attributes: Readonly<Partial<Record<CollectionAttribute, string>>>;
}

/** The sequence collections of a store. */
export interface CollectionSource {
  /** Returns all collections, in no particular order. */
  list(): Promise<readonly CollectionSummary[]>;
  /** Returns the collection of this digest at level 0, or undefined if there is none. */
  find(digest: string): Promise<SequenceCollection | undefined>;
}
