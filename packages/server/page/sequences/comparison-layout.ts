import type { Collection } from '../service.js';

/** A sequence of a collection as a box of the picture, from left to right. */
export interface SequenceBox {
  readonly x: number;
  readonly width: number;
  readonly name: string;
  readonly length: number;
  /** Whether the other collection has the same sequence under the same name, under another one, or not at all. */
  readonly state: 'same' | 'renamed' | 'alone';
}

/** A pair of boxes with the same sequence, by their indexes. */
interface SequenceLink {
  readonly a: number;
  readonly b: number;
}

export interface ComparisonLayout {
  readonly a: readonly SequenceBox[];
  readonly b: readonly SequenceBox[];
  readonly links: readonly SequenceLink[];
  /** Whether there are sequences beyond those that are shown. */
  readonly isCut: boolean;
}

/** The most sequences of each collection that the picture shows. */
const MOST_SEQUENCES = 200;

/**
 * Lays out the first sequences of two collections on a width. Boxes are as wide as the square root of the length, so that a
 * mitochondrion can be seen beside a chromosome.
 */
export function layOutComparison(a: Collection, b: Collection, width: number): ComparisonLayout {
  const [first, second] = [a, b].map((collection) => indexOf(collection));
  const boxes = (collection: Collection, other: SequenceIndex | undefined, scale: number): SequenceBox[] => {
    let x = 0;
    return collection.names.slice(0, MOST_SEQUENCES).map((name, index) => {
      const length = collection.lengths[index] ?? 0;
      const boxWidth = Math.sqrt(length) * scale;
      const names = other?.get(collection.sequences[index] ?? '');
      const state = names === undefined ? 'alone' : names.has(name) ? 'same' : 'renamed';
      const box = { x, width: boxWidth, name, length, state } as const;
      x += boxWidth;
      return box;
    });
  };
  const total = Math.max(totalWidth(a), totalWidth(b), 1);
  const scale = width / total;
  const links = a.names.slice(0, MOST_SEQUENCES).flatMap((name, index): SequenceLink[] => {
    const names = second?.get(a.sequences[index] ?? '');
    // The sequence may occur several times: the one of the same name is linked, or else the first one.
    const found = names?.get(name) ?? names?.values().next().value;
    return found === undefined || found >= MOST_SEQUENCES ? [] : [{ a: index, b: found }];
  });
  const isCut = Math.max(a.names.length, b.names.length) > MOST_SEQUENCES;
  return { a: boxes(a, second, scale), b: boxes(b, first, scale), links, isCut };
}

/** The indexes of the sequences of a collection, by their digests and then their names. */
type SequenceIndex = ReadonlyMap<string, ReadonlyMap<string, number>>;

function indexOf({ sequences, names }: Collection): SequenceIndex {
  const index = new Map<string, Map<string, number>>();
  for (const [position, digest] of sequences.entries()) {
    const known = index.get(digest) ?? new Map<string, number>();
    known.set(names[position] ?? '', position);
    index.set(digest, known);
  }
  return index;
}

function totalWidth({ lengths }: Collection): number {
  return lengths.slice(0, MOST_SEQUENCES).reduce((sum, length) => sum + Math.sqrt(length), 0);
}
