import type { RuleResult } from '../engine/run-suite.js';
import { type ConformReport, countResults, groupResults } from './report.js';

/**
 * Converts a report to JUnit XML, which CI systems show: a suite for each protocol and a test case for each rule and subject. A
 * warning is a passed test whose output has what was found, since JUnit has no warnings.
 */
export function toJunitReport({ results }: Pick<ConformReport, 'results'>): string {
  const suites = [...groupResults(results, ({ suite }) => suite)].map(([name, group]) => toSuite(name, group));
  const { fail, skip } = countResults(results);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="htskit conform" tests="${results.length}" failures="${fail}" errors="0" skipped="${skip}">`,
    ...suites.flat(),
    '</testsuites>',
    '',
  ].join('\n');
}

function toSuite(name: string, results: readonly RuleResult[]): string[] {
  const { fail, skip } = countResults(results);
  const counts = `tests="${results.length}" failures="${fail}" errors="0" skipped="${skip}"`;
  return [`  <testsuite name="${escapeXml(name)}" ${counts}>`, ...results.flatMap(toCase), '  </testsuite>'];
}

function toCase(result: RuleResult): string[] {
  const { id, subject, title, level, outcome, note = '' } = result;
  const name = escapeXml(`${level} ${title} [${subject}]`);
  const open = `    <testcase classname="${escapeXml(id)}" name="${name}"`;
  const details = escapeXml(toDetails(result));
  switch (outcome) {
    case 'pass':
      return [`${open}/>`];
    case 'skip':
      return [`${open}>`, `      <skipped message="${escapeXml(note)}"/>`, '    </testcase>'];
    case 'warn':
      return [`${open}>`, `      <system-out>${details}</system-out>`, '    </testcase>'];
    case 'fail':
      return [`${open}>`, `      <failure message="${escapeXml(title)}">${details}</failure>`, '    </testcase>'];
  }
}

function toDetails({ expected, found, curl, readings }: RuleResult): string {
  const open = readings === undefined ? [] : [`two readings: ${readings.join('; or ')}`];
  return [...open, `expected: ${expected}`, `found: ${found}`, `request: ${curl}`].join('\n');
}

/** Escapes markup, and replaces the characters that XML 1.0 (§2.2) forbids. */
function escapeXml(text: string): string {
  const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text
    .replace(/[^\P{Cc}\t\n\r]|[\p{Cs}\ufffe\uffff]/gu, '\ufffd')
    .replace(/[&<>"]/g, (character) => escapes[character] ?? character);
}
