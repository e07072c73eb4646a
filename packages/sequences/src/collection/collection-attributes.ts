/** The attributes of a collection that have a level 2, in the order in which RFC 8785 sorts them. */
export const ARRAY_ATTRIBUTES = ['lengths', 'name_length_pairs', 'names', 'sequences', 'sorted_sequences'] as const;

export type ArrayAttribute = (typeof ARRAY_ATTRIBUTES)[number];

/** The attribute that is a digest only: the same coordinate system in any order (sequence collections 1.0.0, §5.2). */
export const TRANSIENT_ATTRIBUTE = 'sorted_name_length_pairs';

export type CollectionAttribute = ArrayAttribute | typeof TRANSIENT_ATTRIBUTE;

/** All attributes of a collection (sequence collections 1.0.0, §1 and §5). */
export const COLLECTION_ATTRIBUTES: readonly CollectionAttribute[] = [...ARRAY_ATTRIBUTES, TRANSIENT_ATTRIBUTE];

/** The part of an array that collections need. Millions of elements are decoded when they are requested. */
export interface IndexedList<T> {
  readonly length: number;
  at(index: number): T | undefined;
}

/** Level 2 of a collection without `name_length_pairs`, which repeats two of the arrays. */
export interface CollectionArrays {
  readonly names: IndexedList<string>;
  /** Bases. */
  readonly lengths: IndexedList<number>;
  /** Digests with their prefix `SQ.`. */
  readonly sequences: IndexedList<string>;
  /** The same digests, sorted. */
  readonly sortedSequences: IndexedList<string>;
}

/** Returns the canonical JSON text of an attribute at level 2, in pieces. */
export function canonicalAttribute(arrays: CollectionArrays, attribute: ArrayAttribute): Iterable<string> {
  const { names, lengths, sequences, sortedSequences } = arrays;
  switch (attribute) {
    case 'lengths':
      return canonicalArray(lengths.length, (index) => String(lengths.at(index)));
    case 'name_length_pairs':
      return canonicalArray(names.length, (index) => canonicalPair(names.at(index) ?? '', lengths.at(index) ?? 0));
    case 'names':
      return canonicalStrings(names);
    case 'sequences':
      return canonicalStrings(sequences);
    case 'sorted_sequences':
      return canonicalStrings(sortedSequences);
  }
}

/** Returns the canonical JSON text of an array of well-formed strings, in pieces. */
export function canonicalStrings(strings: IndexedList<string>): Iterable<string> {
  return canonicalArray(strings.length, (index) => canonicalString(strings.at(index) ?? ''));
}

/** Returns the canonical JSON text of a name and a length (sequence collections 1.0.0, §5.1). */
export function canonicalPair(name: string, length: number): string {
  return `{"length":${length},"name":${canonicalString(name)}}`;
}

/** UTF-16 code units of a piece of text, except for the last piece. */
const PIECE_LENGTH = 65_536;

/** Yields the canonical JSON text (RFC 8785) of an array from the text of each element. Memory does not grow with the array. */
export function* canonicalArray(length: number, toText: (index: number) => string): Generator<string, void> {
  let text = '[';
  for (let index = 0; index < length; index++) {
    text += index === 0 ? toText(index) : `,${toText(index)}`;
    if (text.length < PIECE_LENGTH) continue;
    yield text;
    text = '';
  }
  yield `${text}]`;
}

/**
 * Returns the canonical JSON text of a string: RFC 8785 §3.2.2.2 follows ECMAScript. It does not define one for the names that are
 * not UTF-8: their bytes are written as `\udc80` to `\udcff`.
 */
export function canonicalString(text: string): string {
  return JSON.stringify(text);
}

/** Returns whether a string is text: it holds no lone surrogate, except for those that stand for bytes that are not UTF-8. */
export function isWellFormed(text: string): boolean {
  return !/[\ud800-\udc7f\udd00-\udfff]/u.test(text);
}

/** Encodes texts as UTF-8, short ones together. */
export function* encodeTexts(texts: Iterable<string>): Generator<Uint8Array<ArrayBuffer>, void> {
  const encoder = new TextEncoder();
  let gathered = '';
  for (const text of texts) {
    gathered += text;
    if (gathered.length < PIECE_LENGTH) continue;
    yield encoder.encode(gathered);
    gathered = '';
  }
  if (gathered !== '') yield encoder.encode(gathered);
}
