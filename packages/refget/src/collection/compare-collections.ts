import { TimeSlice } from '@htskit/io/internal';
import type { SequenceCollection } from '@htskit/sequences';
import { ARRAY_ATTRIBUTES, type IndexedList, TRANSIENT_ATTRIBUTE } from '@htskit/sequences/internal';

/** An array whose elements are represented by strings or numbers that can be compared. */
export interface ComparedArray {
  readonly length: number;
  /** Arrays with equal digests are equal and are not compared element by element. */
  readonly digest?: string;
  at(index: number): string | number | undefined;
}

/** A collection as the comparison sees it. */
export interface ComparedCollection {
  /** Level 0, or null for a collection without a digest. */
  readonly digest: string | null;
  /** The attributes by name; undefined for those without elements: transient ones and values that are not arrays. */
  readonly attributes: ReadonlyMap<string, ComparedArray | undefined>;
}

/** The result of a comparison in the form of the protocol (sequence collections 1.0.0, §3.3). */
export interface CollectionComparison {
  readonly digests: { readonly a: string | null; readonly b: string | null };
  readonly attributes: {
    readonly a_only: readonly string[];
    readonly b_only: readonly string[];
    readonly a_and_b: readonly string[];
  };
  readonly array_elements: {
    readonly a_count: Readonly<Record<string, number>>;
    readonly b_count: Readonly<Record<string, number>>;
    readonly a_and_b_count: Readonly<Record<string, number>>;
    readonly a_and_b_same_order: Readonly<Record<string, boolean | null>>;
  };
}

/**
 * - `specification`: transient attributes are listed, and a single shared element has no order (sequence collections 1.0.0,
 *   §3.3 and §4.5).
 * - `reference`: they are not listed, and a single element is in order, like in the reference implementation and its compliance
 *   suite.
 */
export type ComparisonRules = 'specification' | 'reference';

export interface CompareCollectionsOptions {
  /** Default `specification`. */
  readonly rules?: ComparisonRules;
  readonly signal?: AbortSignal;
}

/**
 * Compares two collections (sequence collections 1.0.0, §3.3) in time and memory proportional to their lengths. Yields to the
 * event loop meanwhile. A repeated element is shared as often as both collections have it.
 *
 * @example
 * const comparison = await compareCollections(toComparedCollection(genome), toComparedCollection(primary));
 * console.log(comparison.array_elements.a_and_b_count.names);
 */
export async function compareCollections(
  a: ComparedCollection,
  b: ComparedCollection,
  { rules = 'specification', signal }: CompareCollectionsOptions = {},
): Promise<CollectionComparison> {
  const slice = new TimeSlice(signal);
  const isListed = (name: string): boolean => rules === 'specification' || name !== TRANSIENT_ATTRIBUTE;
  const namesOfA = [...a.attributes.keys()].filter(isListed).sort();
  const namesOfB = [...b.attributes.keys()].filter(isListed).sort();
  const shared = namesOfA.filter((name) => b.attributes.has(name));
  const arrays: [name: string, SharedElements][] = [];
  for (const name of shared) {
    const [arrayOfA, arrayOfB] = [a.attributes.get(name), b.attributes.get(name)];
    if (arrayOfA === undefined || arrayOfB === undefined) continue;
    arrays.push([name, await shareElements(arrayOfA, arrayOfB, slice)]);
  }
  const minimum = rules === 'specification' ? 2 : 1;
  return {
    digests: { a: a.digest, b: b.digest },
    attributes: {
      a_only: namesOfA.filter((name) => !b.attributes.has(name)),
      b_only: namesOfB.filter((name) => !a.attributes.has(name)),
      a_and_b: shared,
    },
    // From entries, because a client may choose any attribute name.
    array_elements: {
      a_count: countElements(a, namesOfA),
      b_count: countElements(b, namesOfB),
      a_and_b_count: Object.fromEntries(arrays.map(([name, { count }]) => [name, count])),
      a_and_b_same_order: Object.fromEntries(
        arrays.map(([name, { count, isSameOrder }]) => [name, count < minimum ? null : isSameOrder]),
      ),
    },
  };
}

/** Converts a collection for `compareCollections`. */
export function toComparedCollection({ digest, attributes, arrays }: SequenceCollection): ComparedCollection {
  const { names, lengths, sequences, sortedSequences } = arrays;
  const pairs = pairArray(names, lengths);
  const byName = { lengths, name_length_pairs: pairs, names, sequences, sorted_sequences: sortedSequences };
  const compared = new Map<string, ComparedArray | undefined>([[TRANSIENT_ATTRIBUTE, undefined]]);
  for (const name of ARRAY_ATTRIBUTES) {
    const array: ComparedArray = byName[name];
    compared.set(name, { length: array.length, digest: attributes[name].digest, at: (index) => array.at(index) });
  }
  return { digest, attributes: compared };
}

/** Combines names and lengths into one array. The space ends the digits of the length, so elements are unambiguous. */
export function pairArray(names: IndexedList<string>, lengths: IndexedList<number>): ComparedArray {
  return { length: names.length, at: (index) => `${lengths.at(index)} ${names.at(index)}` };
}

function countElements({ attributes }: ComparedCollection, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const array = attributes.get(name);
      return array === undefined ? [] : [[name, array.length]];
    }),
  );
}

interface SharedElements {
  readonly count: number;
  /** Null if one array has more copies of an element than the other, which leaves their order undefined. */
  readonly isSameOrder: boolean | null;
}

type Element = string | number | undefined;

/** The number of an element that only `b` has. */
const NOT_SHARED = -1;

async function shareElements(a: ComparedArray, b: ComparedArray, slice: TimeSlice): Promise<SharedElements> {
  if (a.digest !== undefined && a.digest === b.digest) return { count: a.length, isSameOrder: true };
  // Each element is looked up once; the rest compares their numbers.
  const numbers = new Map<Element, number>();
  const numbersOfA = await numberElements(a, slice, (element) => {
    const number = numbers.get(element) ?? numbers.size;
    if (number === numbers.size) numbers.set(element, number);
    return number;
  });
  const numbersOfB = await numberElements(b, slice, (element) => numbers.get(element) ?? NOT_SHARED);
  const copiesInA = countCopies(numbersOfA, numbers.size);
  const copiesInB = countCopies(numbersOfB, numbers.size);
  let count = 0;
  let isBalanced = true;
  for (const [number, copies] of copiesInB.entries()) {
    const others = copiesInA[number] ?? 0;
    count += Math.min(copies, others);
    isBalanced &&= copies === 0 || copies === others;
  }
  if (!isBalanced) return { count, isSameOrder: null };
  const sharedOfA = numbersOfA.filter((number) => copiesInB[number] !== 0);
  const sharedOfB = numbersOfB.filter((number) => number !== NOT_SHARED);
  return { count, isSameOrder: sharedOfA.every((number, index) => number === sharedOfB[index]) };
}

async function numberElements(
  array: ComparedArray,
  slice: TimeSlice,
  toNumber: (element: Element) => number,
): Promise<Int32Array> {
  const numbers = new Int32Array(array.length);
  for (let index = 0; index < array.length; index++) {
    numbers[index] = toNumber(array.at(index));
    if (slice.isOverAt(index)) await slice.yieldToEventLoop();
  }
  return numbers;
}

/** Counts the copies of each element by its number. */
function countCopies(numbers: Int32Array, elements: number): Int32Array {
  const copies = new Int32Array(elements);
  for (const number of numbers) if (number !== NOT_SHARED) copies[number] = (copies[number] ?? 0) + 1;
  return copies;
}
