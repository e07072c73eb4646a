import { TimeSlice } from '@htskit/io/internal';
import {
  ARRAY_ATTRIBUTES,
  type ArrayAttribute,
  canonicalStrings,
  collectionDigest,
  digestTexts,
  isWellFormed,
  TRANSIENT_ATTRIBUTE,
} from '@htskit/sequences/internal';
import { type ComparedArray, type ComparedCollection, pairArray } from './compare-collections.js';
import { badRequest, type JsonPiece, splitJsonObject } from './json-pieces.js';

/** The maximum number of attributes of a collection; the schema has six. */
const MAX_ATTRIBUTES = 1000;

type Attributes = Map<string, ComparedArray | undefined>;

/**
 * Parses a client's collection from its level 2 as JSON text (sequence collections 1.0.0, §3.3). Attributes may be missing.
 * Attributes outside of the schema are counted but not compared. The collection has a digest if it has names and sequences.
 *
 * Throws RefgetError Bad Request, also for more than 1,000 attributes and for an element of more than 65,536 characters. Yields
 * to the event loop meanwhile. Time and memory are proportional to the length of the text, which the caller must bound.
 */
export async function parseLocalCollection(text: string, signal?: AbortSignal): Promise<ComparedCollection> {
  const slice = new TimeSlice(signal);
  const attributes = await slice.run(parseAttributes(text));
  const lengths = COLLATED.flatMap((name) => attributes.get(name)?.length ?? []);
  if (lengths.length === 0) throw badRequest(`the collection needs at least one of ${COLLATED.join(', ')}`);
  if (new Set(lengths).size > 1) throw badRequest(`${COLLATED.join(', ')} must have equally many elements`);
  // Level 2 omits the transient attribute, which follows from these two.
  if (attributes.has('names') && attributes.has('lengths')) attributes.set(TRANSIENT_ATTRIBUTE, undefined);
  return { digest: await digestLocal(attributes, slice), attributes };
}

/** Attributes with one element for each sequence. */
const COLLATED = ['lengths', 'name_length_pairs', 'names', 'sequences'] as const;

/** Parses the attributes, and yields after each short piece of the text. */
function* parseAttributes(text: string): Generator<void, Attributes> {
  const attributes: Attributes = new Map();
  let growing: GrowingArray | undefined;
  for (const piece of splitJsonObject(text, 'a JSON object: a sequence collection at level 2')) {
    if (piece.isStart) {
      growing = toGrowing(piece);
      attributes.set(piece.name, growing?.array);
      if (attributes.size > MAX_ATTRIBUTES)
        throw badRequest(`the collection has more than ${MAX_ATTRIBUTES} attributes`);
    }
    if (piece.elements !== undefined) growing?.append(piece.elements);
    yield;
  }
  return attributes;
}

/** An array that elements are appended to, piece by piece. */
interface GrowingArray {
  readonly array: ComparedArray;
  append(elements: readonly unknown[]): void;
}

function toGrowing({ name, elements }: JsonPiece): GrowingArray | undefined {
  if (name === TRANSIENT_ATTRIBUTE) return undefined;
  if (isKnown(name)) {
    if (elements === undefined) throw badRequest(`${name} must be an array`);
    return GROWING[name]();
  }
  return elements && growCount();
}

const GROWING: Readonly<Record<ArrayAttribute, () => GrowingArray>> = {
  lengths: () => growList('lengths', isLength, 'a whole number'),
  name_length_pairs: growPairs,
  names: () => growList('names', isText, 'a string of well-formed Unicode'),
  sequences: () => growList('sequences', isText, 'a digest'),
  sorted_sequences: () => growList('sorted_sequences', isText, 'a digest'),
};

function isKnown(name: string): name is ArrayAttribute {
  return ARRAY_ATTRIBUTES.some((known) => known === name);
}

function growList<Element extends string | number>(
  name: string,
  isElement: (element: unknown) => element is Element,
  what: string,
): GrowingArray {
  const array: Element[] = [];
  const append = (elements: readonly unknown[]): void => {
    for (const element of elements) {
      if (!isElement(element)) throw badRequest(`element ${array.length + 1} of ${name} must be ${what}`);
      array.push(element);
    }
  };
  return { array, append };
}

function growPairs(): GrowingArray {
  const names: string[] = [];
  const lengths: number[] = [];
  const append = (elements: readonly unknown[]): void => {
    for (const pair of elements) {
      if (!isPair(pair)) {
        throw badRequest(`element ${names.length + 1} of name_length_pairs must be an object of name and length`);
      }
      names.push(pair.name);
      lengths.push(pair.length);
    }
  };
  const pairs = pairArray(names, lengths);
  const array: ComparedArray = {
    get length() {
      return names.length;
    },
    at: (index) => pairs.at(index),
  };
  return { array, append };
}

/** Counts the elements of an unknown attribute. No collection of this service has it, so they are never compared. */
function growCount(): GrowingArray {
  let length = 0;
  const append = (elements: readonly unknown[]): void => {
    length += elements.length;
  };
  const array: ComparedArray = {
    get length() {
      return length;
    },
    at: () => undefined,
  };
  return { array, append };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && isWellFormed(value);
}

function isLength(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isPair(value: unknown): value is { readonly name: string; readonly length: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    'length' in value &&
    isText(value.name) &&
    isLength(value.length)
  );
}

async function digestLocal(
  attributes: ReadonlyMap<string, ComparedArray | undefined>,
  slice: TimeSlice,
): Promise<string | null> {
  // Both were checked to hold strings.
  const [names, sequences] = [attributes.get('names'), attributes.get('sequences')] as (string[] | undefined)[];
  if (names === undefined || sequences === undefined || names.length === 0) return null;
  return collectionDigest({
    names: (await digestTexts(canonicalStrings(names), slice)).digest,
    sequences: (await digestTexts(canonicalStrings(sequences), slice)).digest,
  });
}
