import type { JsonObject } from '../engine/answer.js';
import { canonicalJson } from './canonical-json.js';
import { arrayOf } from './seqcol-subject.js';

/** The elements that two arrays share (sequence collections 1.0.0, §3.3). */
export interface SharedElements {
  readonly count: number;
  /** Null for fewer than two shared elements, and if a repeated element occurs more often in one of the arrays. */
  readonly isSameOrder: boolean | null;
}

/** Compares two arrays, whose elements are any values of JSON. */
export function shareElements(a: readonly unknown[], b: readonly unknown[]): SharedElements {
  const [textsOfA, textsOfB] = [a.map(canonicalJson), b.map(canonicalJson)];
  const [copiesInA, copiesInB] = [countCopies(textsOfA), countCopies(textsOfB)];
  let count = 0;
  let isBalanced = true;
  for (const [text, copies] of copiesInA) {
    const others = copiesInB.get(text) ?? 0;
    count += Math.min(copies, others);
    isBalanced &&= others === 0 || others === copies;
  }
  if (count < 2 || !isBalanced) return { count, isSameOrder: null };
  const sharedOfA = textsOfA.filter((text) => copiesInB.has(text));
  const sharedOfB = textsOfB.filter((text) => copiesInA.has(text));
  return { count, isSameOrder: sharedOfA.every((text, index) => text === sharedOfB[index]) };
}

function countCopies(texts: readonly string[]): ReadonlyMap<string, number> {
  const copies = new Map<string, number>();
  for (const text of texts) copies.set(text, (copies.get(text) ?? 0) + 1);
  return copies;
}

/** The attributes of the base schema, which every collection has as arrays. */
export const BASE_ATTRIBUTES = ['lengths', 'names', 'sequences'] as const;

/** A collection in the form of the base schema, for the body of a comparison. */
export type LocalCollection = Readonly<Record<(typeof BASE_ATTRIBUTES)[number], readonly unknown[]>>;

/** Returns the elements of the base attributes at these indexes, in this order. */
export function pick(level2: JsonObject, indexes: readonly number[]): LocalCollection {
  const of = (name: string): readonly unknown[] => {
    const elements = arrayOf(level2, name);
    return indexes.map((index) => elements[index]);
  };
  return { lengths: of('lengths'), names: of('names'), sequences: of('sequences') };
}
