import { canonicalArray, canonicalString } from './canonical-json.js';

/** The attributes of a collection that have a level 2, in the order in which RFC 8785 sorts them. */
export const ARRAY_ATTRIBUTES = ['lengths', 'name_length_pairs', 'names', 'sequences', 'sorted_sequences'] as const;

export type ArrayAttribute = (typeof ARRAY_ATTRIBUTES)[number];

/** The attribute that is a digest only: the same coordinates in any order (sequence collections 1.0.0, §5.2). */
export const TRANSIENT_ATTRIBUTE = 'sorted_name_length_pairs';

export type CollectionAttribute = ArrayAttribute | typeof TRANSIENT_ATTRIBUTE;

/** All attributes of a collection (sequence collections 1.0.0, §1 and §5). */
export const COLLECTION_ATTRIBUTES: readonly CollectionAttribute[] = [...ARRAY_ATTRIBUTES, TRANSIENT_ATTRIBUTE];

/** Level 2 of a collection, but for `name_length_pairs`, which repeats two of these. */
export interface CollectionArrays {
  readonly names: readonly string[];
  /** Bases. */
  readonly lengths: readonly number[];
  /** Digests with their prefix `SQ.`. */
  readonly sequences: readonly string[];
  /** The same, sorted. */
  readonly sortedSequences: readonly string[];
}

/** The canonical JSON text of an attribute at level 2, in pieces. */
export function canonicalAttribute(arrays: CollectionArrays, attribute: ArrayAttribute): Iterable<string> {
  const { names, lengths, sequences, sortedSequences } = arrays;
  switch (attribute) {
    case 'lengths':
      return canonicalArray(lengths.length, (index) => String(lengths[index]));
    case 'name_length_pairs':
      return canonicalArray(names.length, (index) => canonicalPair(names[index] ?? '', lengths[index] ?? 0));
    case 'names':
      return canonicalStrings(names);
    case 'sequences':
      return canonicalStrings(sequences);
    case 'sorted_sequences':
      return canonicalStrings(sortedSequences);
  }
}

/** The canonical JSON text of an array of well-formed strings, in pieces. */
export function canonicalStrings(strings: readonly string[]): Iterable<string> {
  return canonicalArray(strings.length, (index) => canonicalString(strings[index] ?? ''));
}

/** The canonical JSON text of a name and a length (sequence collections 1.0.0, §5.1). */
export function canonicalPair(name: string, length: number): string {
  return `{"length":${length},"name":${canonicalString(name)}}`;
}
