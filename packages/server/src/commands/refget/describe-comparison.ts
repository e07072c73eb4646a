import type { CollectionComparison } from '@htskit/refget';
import { formatCount } from '../../terminal/format-count.js';
import { formatTable } from '../../terminal/format-table.js';

/** Two collections as a comparison describes them. */
export interface ComparedNames {
  /** The names of the collections on the command line. */
  readonly a: string;
  readonly b: string;
  /** The comparison of the specification. */
  readonly comparison: CollectionComparison;
  /** The sequences that have the same name in both collections. */
  readonly sameNames: number;
}

const ROWS = [
  ['sequences', 'sequences'],
  ['names', 'names'],
  ['lengths', 'lengths'],
  ['names with lengths', 'name_length_pairs'],
] as const;

/** Returns lines that say in words, and then in numbers, what two collections have in common. */
export function describeComparison(compared: ComparedNames): string[] {
  const { a, b, comparison, sameNames } = compared;
  const rows = ROWS.map(([title, attribute]) => {
    const { inA, inB, shared, isSameOrder } = countsOf(comparison, attribute);
    const order = isSameOrder === null ? '-' : isSameOrder ? 'same' : 'other';
    return [title, formatCount(inA), formatCount(inB), formatCount(shared), order];
  });
  const { inA, inB } = countsOf(comparison, 'sequences');
  const withNames = ['names with sequences', formatCount(inA), formatCount(inB), formatCount(sameNames), '-'];
  return [
    summarizeComparison(compared),
    '',
    ...formatTable(
      [
        ['A', comparison.digests.a ?? '', a],
        ['B', comparison.digests.b ?? '', b],
      ],
      [],
    ),
    '',
    ...formatTable([['', 'in A', 'in B', 'in both', 'order'], ...rows, withNames], ['in A', 'in B', 'in both']),
  ];
}

/** Returns one line, such as `same sequences, other names; 3 extra in B`. */
export function summarizeComparison({ comparison, sameNames }: Omit<ComparedNames, 'a' | 'b'>): string {
  const { digests } = comparison;
  if (digests.a !== null && digests.a === digests.b) return 'same sequences, same names, same order';
  const { inA, inB, shared, isSameOrder } = countsOf(comparison, 'sequences');
  if (shared === 0) return `no sequences in common; ${describeCoordinates(comparison)}`;
  const phrases = [
    shared === Math.min(inA, inB)
      ? 'same sequences'
      : `${formatCount(shared)} ${shared === 1 ? 'sequence' : 'sequences'} in common`,
    describeNames(comparison, { shared, sameNames }),
    ...(isSameOrder === false ? ['other order'] : []),
  ];
  return [phrases.join(', '), ...describeExtra({ inA, inB, shared })].join('; ');
}

function describeExtra({ inA, inB, shared }: Omit<SharedCounts, 'isSameOrder'>): string[] {
  const extra = [
    [inA - shared, 'A'],
    [inB - shared, 'B'],
  ] as const;
  return extra.flatMap(([count, side]) => (count === 0 ? [] : [`${formatCount(count)} extra in ${side}`]));
}

function describeNames(
  comparison: CollectionComparison,
  { shared, sameNames }: { readonly shared: number; readonly sameNames: number },
): string {
  if (sameNames >= shared) return 'same names';
  if (sameNames > 0) return `${formatCount(sameNames)} with the same name`;
  return countsOf(comparison, 'names').shared === 0 ? 'other names' : 'the names of other sequences';
}

/** Genomes whose coordinates are alike may differ in masking, or in a few bases. */
function describeCoordinates(comparison: CollectionComparison): string {
  const { inA, inB, shared } = countsOf(comparison, 'name_length_pairs');
  if (shared === 0) return 'no names with the same lengths';
  if (shared === Math.min(inA, inB))
    return ['same names and lengths', ...describeExtra({ inA, inB, shared })].join('; ');
  return shared === 1 ? '1 name with the same length' : `${formatCount(shared)} names with the same lengths`;
}

interface SharedCounts {
  readonly inA: number;
  readonly inB: number;
  readonly shared: number;
  readonly isSameOrder: boolean | null;
}

function countsOf({ array_elements: elements }: CollectionComparison, attribute: string): SharedCounts {
  return {
    inA: elements.a_count[attribute] ?? 0,
    inB: elements.b_count[attribute] ?? 0,
    shared: elements.a_and_b_count[attribute] ?? 0,
    isSameOrder: elements.a_and_b_same_order[attribute] ?? null,
  };
}
