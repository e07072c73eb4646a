import type { Outcome, RuleResult } from '../engine/run-suite.js';
import { type ConformReport, countResults } from './report.js';

const WORDS: Readonly<Record<Outcome, string>> = { pass: 'pass', fail: 'FAIL', warn: 'warn', skip: 'n/a' };

/** Returns the line of a result, and for `fail` and `warn` the lines below it that say what was expected and found. */
export function formatResult(result: RuleResult): string {
  const { outcome, level, specification, section, id, title, subject, note } = result;
  const head = `${WORDS[outcome].padEnd(4)}  ${level.padEnd(6)}  ${id}  ${title} [${subject}; ${specification}, ${section}]`;
  const lines = [note === undefined ? head : `${head}: ${note}`];
  if (outcome === 'fail' || outcome === 'warn') lines.push(...formatFinding(result));
  return lines.join('\n');
}

function formatFinding({ readings, expected, found, curl }: RuleResult): string[] {
  const details: readonly (readonly [string, string | undefined])[] = [
    ['open', readings && `the specification allows two readings: ${readings.join('; or ')}`],
    ['expected', expected],
    ['found', found],
    ['request', curl],
  ];
  return details
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `      ${`${name}:`.padEnd(9)} ${value}`);
}

/** Returns the last line of a report: how many rules a service passes, fails, and so on. */
export function formatSummary({ results }: Pick<ConformReport, 'results'>): string {
  const { pass, fail, warn, skip } = countResults(results);
  return `${results.length} checks: ${pass} passed, ${fail} failed, ${warn} warnings, ${skip} not applicable`;
}
