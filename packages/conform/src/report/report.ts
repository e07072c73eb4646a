import type { Outcome, RuleResult } from '../engine/run-suite.js';

/** The results of a run. */
export interface ConformReport {
  /** The URL that was checked. */
  readonly url: string;
  /** The options of the run that choose what is checked: ids, rules. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The name that the service gives itself in its service-info. */
  readonly service: string;
  readonly results: readonly RuleResult[];
  /** Dates and times in ISO 8601. */
  readonly startTime: string;
  readonly endTime: string;
}

/** The number of results of each outcome. */
export type ResultCounts = Readonly<Record<Outcome, number>>;

export function countResults(results: readonly RuleResult[]): ResultCounts {
  const counts = { pass: 0, fail: 0, warn: 0, skip: 0 };
  for (const { outcome } of results) counts[outcome]++;
  return counts;
}

/** Returns whether the service keeps every MUST that was checked. */
export function isConforming({ results }: Pick<ConformReport, 'results'>): boolean {
  return results.every(({ outcome }) => outcome !== 'fail');
}

/** Groups results by a property, in the order of their first occurrence. */
export function groupResults(
  results: readonly RuleResult[],
  keyOf: (result: RuleResult) => string,
): ReadonlyMap<string, readonly RuleResult[]> {
  const groups = new Map<string, RuleResult[]>();
  for (const result of results) {
    const key = keyOf(result);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [result]);
    else group.push(result);
  }
  return groups;
}
