import type { Outcome, RuleResult } from '../engine/run-suite.js';
import { type ConformReport, countResults, groupResults } from './report.js';

/** The version of the GA4GH testbed report schema (ga4gh-testbed-lib, `schema/ga4gh-testbed-report.json`). */
const SCHEMA = { schema_name: 'ga4gh-testbed-report', schema_version: '0.1.0' } as const;

type TestbedStatus = 'PASS' | 'WARN' | 'FAIL' | 'SKIP';

const STATUSES: Readonly<Record<Outcome, TestbedStatus>> = { pass: 'PASS', warn: 'WARN', fail: 'FAIL', skip: 'SKIP' };

interface TestbedSummary {
  readonly unknown: number;
  readonly passed: number;
  readonly warned: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The members that the parts of a report have in common. */
interface TestbedPart {
  readonly start_time: string;
  readonly end_time: string;
  readonly status: TestbedStatus;
  readonly summary: TestbedSummary;
}

/** The result of a rule for one subject. */
interface TestbedCase extends Omit<TestbedPart, 'summary'> {
  readonly case_name: string;
  readonly case_description: string;
  readonly log_messages: readonly string[];
  readonly message: string;
}

/** A rule. */
interface TestbedTest extends TestbedPart {
  readonly test_name: string;
  readonly test_description: string;
  readonly message: string;
  readonly cases: readonly TestbedCase[];
}

/** The rules of one protocol. */
interface TestbedPhase extends TestbedPart {
  readonly phase_name: string;
  readonly phase_description: string;
  readonly tests: readonly TestbedTest[];
}

/** A report by the GA4GH testbed report schema 0.1.0. */
export interface TestbedReport extends TestbedPart {
  readonly schema_name: 'ga4gh-testbed-report';
  readonly schema_version: '0.1.0';
  readonly testbed_name: string;
  readonly testbed_version: string;
  readonly testbed_description: string;
  readonly platform_name: string;
  readonly platform_description: string;
  readonly input_parameters: Readonly<Record<string, unknown>>;
  readonly phases: readonly TestbedPhase[];
}

/** Converts a report to the GA4GH testbed report schema: a phase for each protocol, a test for each rule, a case for each subject. */
export function toTestbedReport(report: ConformReport, { version }: { readonly version: string }): TestbedReport {
  const { url, parameters, service, results, startTime, endTime } = report;
  return {
    ...SCHEMA,
    testbed_name: 'htskit conform',
    testbed_version: version,
    testbed_description:
      'Checks htsget, refget and sequence collections services against their specifications, rule by rule',
    platform_name: service,
    platform_description: `The service at ${url}`,
    input_parameters: { url, ...parameters },
    ...toPart(results),
    start_time: startTime,
    end_time: endTime,
    phases: [...groupResults(results, ({ suite }) => suite)].map(([name, group]) => toPhase(name, group)),
  };
}

function toPhase(name: string, results: readonly RuleResult[]): TestbedPhase {
  return {
    phase_name: name,
    phase_description: results[0]?.specification ?? name,
    ...toPart(results),
    tests: [...groupResults(results, ({ id }) => id)].map(([id, group]) => toTest(id, group)),
  };
}

function toTest(id: string, results: readonly RuleResult[]): TestbedTest {
  const { level, title, section } = results[0] ?? { level: 'MUST', title: id, section: '' };
  return {
    test_name: id,
    test_description: `${level}: ${title} (${section})`,
    ...toPart(results),
    message: results.map(toMessage).find((message) => message !== '') ?? '',
    cases: results.map((result) => ({
      case_name: result.subject,
      case_description: result.title,
      log_messages: result.curl === undefined ? [] : [result.curl],
      start_time: result.startTime,
      end_time: result.endTime,
      status: STATUSES[result.outcome],
      message: toMessage(result),
    })),
  };
}

function toMessage({ expected, found, note, readings }: RuleResult): string {
  if (expected === undefined) return note ?? '';
  const open = readings === undefined ? '' : ` (two readings: ${readings.join('; or ')})`;
  return `expected ${expected}, found ${found}${open}`;
}

function toPart(results: readonly RuleResult[]): TestbedPart {
  const { pass, warn, fail, skip } = countResults(results);
  const status = fail > 0 ? 'FAIL' : warn > 0 ? 'WARN' : pass > 0 ? 'PASS' : 'SKIP';
  return {
    start_time: results[0]?.startTime ?? '',
    end_time: results.at(-1)?.endTime ?? '',
    status,
    summary: { unknown: 0, passed: pass, warned: warn, failed: fail, skipped: skip },
  };
}
