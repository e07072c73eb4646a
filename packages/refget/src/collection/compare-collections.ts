import { ARRAY_ATTRIBUTES, TRANSIENT_ATTRIBUTE } from './collection-attributes.js';
import type { SequenceCollection } from './sequence-collection.js';

/** An array whose elements are equal where strings or numbers that stand for them are. */
export interface ComparedArray {
  readonly length: number;
  at(index: number): string | number | undefined;
}

/** What the comparison looks at. */
export interface ComparedCollection {
  /** Level 0; null for a collection that has none. */
  readonly digest: string | null;
  /** The attributes by name; undefined for those without elements: transient ones, and values that are no array. */
  readonly attributes: ReadonlyMap<string, ComparedArray | undefined>;
}

/** The result of a comparison as the protocol has it (sequence collections 1.0.0, §3.3). */
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
 * `specification`: transient attributes are listed, and a single shared element has no order, as sequence collections 1.0.0,
 * §3.3 and §4.5 say. `reference`: not listed, and in order, as the reference implementation and its compliance suite do.
 */
export type ComparisonRules = 'specification' | 'reference';

/**
 * Compares two collections (sequence collections 1.0.0, §3.3), in time and memory proportional to their lengths. An element
 * that is repeated is shared as often as both have it.
 */
export function compareCollections(
  a: ComparedCollection,
  b: ComparedCollection,
  rules: ComparisonRules = 'specification',
): CollectionComparison {
  const isListed = (name: string): boolean => rules === 'specification' || name !== TRANSIENT_ATTRIBUTE;
  const namesOfA = [...a.attributes.keys()].filter(isListed).sort();
  const namesOfB = [...b.attributes.keys()].filter(isListed).sort();
  const shared = namesOfA.filter((name) => b.attributes.has(name));
  const arrays = shared.flatMap((name): [string, SharedElements][] => {
    const [arrayOfA, arrayOfB] = [a.attributes.get(name), b.attributes.get(name)];
    return arrayOfA === undefined || arrayOfB === undefined ? [] : [[name, shareElements(arrayOfA, arrayOfB)]];
  });
  const minimum = rules === 'specification' ? 2 : 1;
  return {
    digests: { a: a.digest, b: b.digest },
    attributes: {
      a_only: namesOfA.filter((name) => !b.attributes.has(name)),
      b_only: namesOfB.filter((name) => !a.attributes.has(name)),
      a_and_b: shared,
    },
    // From entries, which can have any name.
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

/** A collection as the comparison looks at it. */
export function toComparedCollection({ digest, arrays }: SequenceCollection): ComparedCollection {
  const { names, lengths, sequences, sortedSequences } = arrays;
  const pairs = pairArray(names, lengths);
  const byName = { lengths, name_length_pairs: pairs, names, sequences, sorted_sequences: sortedSequences };
  const attributes = new Map<string, ComparedArray | undefined>(ARRAY_ATTRIBUTES.map((name) => [name, byName[name]]));
  return { digest, attributes: attributes.set(TRANSIENT_ATTRIBUTE, undefined) };
}

/** Names and lengths as one array: digits end at the space. */
export function pairArray(names: readonly string[], lengths: readonly number[]): ComparedArray {
  return { length: names.length, at: (index) => `${lengths[index]} ${names[index]}` };
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
  /** Null where one array has more copies of an element than the other: what their order is cannot be said. */
  readonly isSameOrder: boolean | null;
}

type Element = string | number | undefined;

function shareElements(a: ComparedArray, b: ComparedArray): SharedElements {
  const copiesInA = countCopies(a, () => true);
  const copiesInB = countCopies(b, (element) => copiesInA.has(element));
  let count = 0;
  let isBalanced = true;
  for (const [element, copies] of copiesInB) {
    const others = copiesInA.get(element) ?? 0;
    count += Math.min(copies, others);
    isBalanced &&= copies === others;
  }
  return { count, isSameOrder: isBalanced ? isSameOrder(a, b, { copiesInA, copiesInB }) : null };
}

function countCopies(array: ComparedArray, isCounted: (element: Element) => boolean): Map<Element, number> {
  const copies = new Map<Element, number>();
  for (let index = 0; index < array.length; index++) {
    const element = array.at(index);
    if (isCounted(element)) copies.set(element, (copies.get(element) ?? 0) + 1);
  }
  return copies;
}

interface Copies {
  readonly copiesInA: ReadonlyMap<Element, number>;
  /** Of those that A has, too. */
  readonly copiesInB: ReadonlyMap<Element, number>;
}

/** Whether the shared elements come in the same order; both arrays have equally many. */
function isSameOrder(a: ComparedArray, b: ComparedArray, { copiesInA, copiesInB }: Copies): boolean {
  let indexInB = 0;
  for (let index = 0; index < a.length; index++) {
    const element = a.at(index);
    if (!copiesInB.has(element)) continue;
    while (!copiesInA.has(b.at(indexInB))) indexInB++;
    if (b.at(indexInB) !== element) return false;
    indexInB++;
  }
  return true;
}
