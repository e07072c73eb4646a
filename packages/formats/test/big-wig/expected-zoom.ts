import type { BigWigReference } from '../../src/big-wig/chromosome-tree.js';

/** A run of a reference, as tests state it. */
export interface TestRun {
  readonly referenceId: number;
  readonly start: number;
  readonly end: number;
  readonly value: number;
}

interface RunOptions {
  readonly random: () => number;
  readonly references: readonly BigWigReference[];
  readonly maxGap: number;
  readonly maxLength: number;
}

/** Returns random runs. Some follow each other without a gap, some repeat a value, and some references have none. */
export function randomRuns({ random, references, maxGap, maxLength }: RunOptions): TestRun[] {
  const runs: TestRun[] = [];
  for (const [referenceId, { length }] of references.entries()) {
    if (random() < 0.2) continue;
    let end = 0;
    while (end < length) {
      const start = end + (random() < 0.5 ? 0 : Math.floor(random() * maxGap));
      end = Math.min(length, start + 1 + Math.floor(random() * maxLength));
      const value = random() < 0.3 ? Math.floor(random() * 5) : (random() - 0.3) * 1000;
      if (start < length) runs.push({ referenceId, start, end, value });
    }
  }
  return runs;
}

/** A summary with its values, base by base, from which everything is computed anew. */
export interface ExpectedSummary {
  readonly referenceId: number;
  readonly start: number;
  readonly end: number;
  readonly values: readonly number[];
}

/**
 * Returns the summaries of a reduction, one base at a time: a summary begins at the first base with a value that is not in the one
 * before, and has `reduction` bases or ends with the reference.
 */
export function expectedSummaries(
  runs: readonly TestRun[],
  references: readonly BigWigReference[],
  reduction: number,
): ExpectedSummary[] {
  const summaries: (ExpectedSummary & { values: number[] })[] = [];
  for (const { referenceId, start, end, value } of runs) {
    for (let base = start; base < end; base++) {
      let last = summaries.at(-1);
      if (last === undefined || last.referenceId !== referenceId || base >= last.end) {
        const summaryEnd = Math.min(base + reduction, references[referenceId]?.length ?? 0);
        last = { referenceId, start: base, end: summaryEnd, values: [] };
        summaries.push(last);
      }
      last.values.push(Math.fround(value));
    }
  }
  return summaries;
}

/** Returns the summaries of the next zoom level: neighbours are joined as long as they have at most `reduction` bases. */
export function joinSummaries(summaries: readonly ExpectedSummary[], reduction: number): ExpectedSummary[] {
  const joined: (ExpectedSummary & { end: number; values: number[] })[] = [];
  for (const { referenceId, start, end, values } of summaries) {
    const last = joined.at(-1);
    if (last?.referenceId !== referenceId || end - last.start > reduction) {
      joined.push({ referenceId, start, end, values: [...values] });
    } else {
      last.end = end;
      for (const value of values) last.values.push(value);
    }
  }
  return joined;
}
