import type { ShownRecord } from './decode-records.js';

/** The depth of a region in columns of equal width. */
export interface Coverage {
  /** The greatest depth of any base of each column. */
  readonly depths: readonly number[];
  readonly greatest: number;
}

/** Counts how many records cover each base of [start, end), and returns the greatest count of each column. */
export function coverageOf(
  records: readonly Pick<ShownRecord, 'covered'>[],
  { start, end, columns }: { readonly start: number; readonly end: number; readonly columns: number },
): Coverage {
  const bases = Math.max(1, end - start);
  // Changes of the depth, at each base: one pass over the bases adds them up.
  const changes = new Int32Array(bases + 1);
  for (const { covered } of records) {
    for (const span of covered) {
      const [from, to] = [Math.max(span.start, start), Math.min(span.end, end)];
      if (from >= to) continue;
      changes[from - start] = (changes[from - start] ?? 0) + 1;
      changes[to - start] = (changes[to - start] ?? 0) - 1;
    }
  }
  const depths = new Array<number>(Math.min(columns, bases)).fill(0);
  let depth = 0;
  for (let base = 0; base < bases; base++) {
    depth += changes[base] ?? 0;
    const column = Math.floor((base * depths.length) / bases);
    depths[column] = Math.max(depths[column] ?? 0, depth);
  }
  return { depths, greatest: Math.max(0, ...depths) };
}
