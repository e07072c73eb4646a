import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import {
  type ConformReport,
  formatResult,
  formatSummary,
  isConforming,
  type RuleResult,
  toJunitReport,
  toTestbedReport,
} from '../../src/index.js';

const PASSED: RuleResult = {
  suite: 'htsget',
  specification: 'htsget 1.3.1',
  id: 'htsget.a.b',
  section: 'Errors',
  level: 'MUST',
  title: 'answers <404>',
  readings: undefined,
  subject: 'reads/a BAM',
  outcome: 'pass',
  startTime: '2026-01-31T12:00:00.000Z',
  endTime: '2026-01-31T12:00:01.000Z',
};
const BROKEN: RuleResult = {
  ...PASSED,
  outcome: 'fail',
  expected: 'status 404',
  found: '200 & "\u0007"',
  curl: "curl -s 'http://service.test'",
};
const WARNED: RuleResult = { ...BROKEN, id: 'htsget.open.c', level: 'MAY', outcome: 'warn', readings: ['one', 'two'] };
const SKIPPED: RuleResult = { ...PASSED, id: 'refget.d', suite: 'refget', outcome: 'skip', note: 'no sequences' };

function reportOf(...results: RuleResult[]): ConformReport {
  const { startTime, endTime } = PASSED;
  return {
    url: 'http://service.test',
    parameters: { reads: ['a'] },
    service: 'a service',
    results,
    startTime,
    endTime,
  };
}

const REPORT = reportOf(PASSED, BROKEN, WARNED, SKIPPED);

test('a line has the outcome, the level, the rule, the object and the section', () => {
  expect(formatResult(PASSED)).toBe('pass  MUST    htsget.a.b  answers <404> [reads/a BAM; htsget 1.3.1, Errors]');
  expect(formatResult(SKIPPED)).toMatch(/^n\/a .*: no sequences$/);
});

test('a broken rule has what was expected and found, and the request', () => {
  expect(formatResult(WARNED).split('\n')).toEqual([
    'warn  MAY     htsget.open.c  answers <404> [reads/a BAM; htsget 1.3.1, Errors]',
    '      open:     the specification allows two readings: one; or two',
    '      expected: status 404',
    '      found:    200 & "\u0007"',
    "      request:  curl -s 'http://service.test'",
  ]);
});

test('the summary counts the outcomes', () => {
  expect(formatSummary(REPORT)).toBe('4 checks: 1 passed, 1 failed, 1 warnings, 1 not applicable');
});

test('a report conforms unless a rule fails', () => {
  expect([isConforming(REPORT), isConforming(reportOf(PASSED, WARNED, SKIPPED))]).toEqual([false, true]);
});

/** Reads a schema of ga4gh-testbed-lib. Their ids are those of JSON Schema itself, and some references have the wrong extension. */
function readSchema(name: string): object {
  const text = readFileSync(new URL(`testbed-schema/ga4gh-testbed-${name}.json`, import.meta.url), 'utf8');
  const schema = JSON.parse(
    text.replaceAll(/"(?:ga4gh-testbed-(\w+)\.(?:json|yaml))(?=#)/g, '"ga4gh-testbed-$1.json'),
  ) as {
    readonly definitions: object;
  };
  return { $id: `ga4gh-testbed-${name}.json`, definitions: schema.definitions };
}

test('the JSON report follows the testbed schema, with a phase for each protocol and a test for each rule', () => {
  const ajv = new Ajv({ strict: false });
  for (const name of ['case', 'phase', 'report', 'status', 'summary', 'test', 'timestamp'])
    ajv.addSchema(readSchema(name));
  const document = toTestbedReport(REPORT, { version: '1.0.0' });
  const isValid = ajv.validate('ga4gh-testbed-report.json#/definitions/ga4ghTestbedReport', document);
  expect([isValid, ajv.errors]).toEqual([true, null]);
  expect(document).toMatchObject({ status: 'FAIL', summary: { passed: 1, failed: 1, warned: 1, skipped: 1 } });
  expect(document.phases.map(({ phase_name: name, status }) => [name, status])).toEqual([
    ['htsget', 'FAIL'],
    ['refget', 'SKIP'],
  ]);
  expect(document.phases[0]?.tests.map(({ test_name: name, cases }) => [name, cases.length])).toEqual([
    ['htsget.a.b', 2],
    ['htsget.open.c', 1],
  ]);
  // A wrong document does not follow it.
  expect(ajv.validate('ga4gh-testbed-report.json#/definitions/ga4ghTestbedReport', { ...document, status: 'X' })).toBe(
    false,
  );
});

test('the JUnit report has failures and skipped tests, and escapes characters that XML forbids', () => {
  expect(toJunitReport(REPORT)).toBe(
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="htskit conform" tests="4" failures="1" errors="0" skipped="1">
  <testsuite name="htsget" tests="3" failures="1" errors="0" skipped="0">
    <testcase classname="htsget.a.b" name="MUST answers &lt;404&gt; [reads/a BAM]"/>
    <testcase classname="htsget.a.b" name="MUST answers &lt;404&gt; [reads/a BAM]">
      <failure message="answers &lt;404&gt;">expected: status 404
found: 200 &amp; &quot;\ufffd&quot;
request: curl -s 'http://service.test'</failure>
    </testcase>
    <testcase classname="htsget.open.c" name="MAY answers &lt;404&gt; [reads/a BAM]">
      <system-out>two readings: one; or two
expected: status 404
found: 200 &amp; &quot;\ufffd&quot;
request: curl -s 'http://service.test'</system-out>
    </testcase>
  </testsuite>
  <testsuite name="refget" tests="1" failures="0" errors="0" skipped="1">
    <testcase classname="refget.d" name="MUST answers &lt;404&gt; [reads/a BAM]">
      <skipped message="no sequences"/>
    </testcase>
  </testsuite>
</testsuites>
`,
  );
});
