import { ConformError } from '../conform-error.js';
import type { Probe } from './probe.js';
import { toCurl } from './probe-request.js';
import { type Level, type Rule, RuleEnd, type Subject, type Verdict } from './rule.js';

/** The rules of one protocol and what they run against. */
export interface Suite<S extends Subject> {
  /** Names the suite in reports: `htsget`. */
  readonly name: string;
  /** The specification with its version: `htsget 1.3.1`. */
  readonly specification: string;
  readonly rules: readonly Rule<S>[];
  readonly subjects: readonly S[];
}

/** `warn` is a broken rule that is not a MUST, or one that the specification leaves open. `skip` is a rule that does not apply. */
export type Outcome = 'pass' | 'fail' | 'warn' | 'skip';

/** The result of a rule for one subject. */
export interface RuleResult {
  readonly suite: string;
  readonly specification: string;
  readonly id: string;
  readonly section: string;
  readonly level: Level;
  readonly title: string;
  readonly readings: readonly [string, string] | undefined;
  readonly subject: string;
  readonly outcome: Outcome;
  /** The command that repeats the request whose answer breaks the rule, for `fail` and `warn`. */
  readonly curl?: string;
  readonly expected?: string;
  readonly found?: string;
  /** A measurement, or why the rule does not apply. */
  readonly note?: string;
  /** Dates and times in ISO 8601. */
  readonly startTime: string;
  readonly endTime: string;
}

/** The expectation of a rule whose request has no answer. */
export const NO_ANSWER = 'an answer';

export interface RunSuiteOptions {
  /** Ids of rules, or the beginnings of them up to a dot. Default: all rules. */
  readonly only?: readonly string[];
}

/** Runs each rule against the subjects of its scope, one after another. */
export async function* runSuite<S extends Subject>(
  suite: Suite<S>,
  { only }: RunSuiteOptions = {},
): AsyncGenerator<RuleResult, void> {
  const { name, specification, subjects } = suite;
  for (const rule of suite.rules.filter(({ id }) => isWanted(id, only))) {
    const { id, section, level, title, readings } = rule;
    for (const subject of subjects.filter(({ scopes }) => scopes.includes(rule.scope))) {
      const startTime = isoTime(subject.probe);
      const verdict = await runRule(rule, subject);
      const described = { id, section, level, title, readings, subject: subject.label };
      const times = { startTime, endTime: isoTime(subject.probe) };
      yield { suite: name, specification, ...described, ...toOutcome(rule, verdict, subject.probe), ...times };
    }
  }
}

function isWanted(id: string, only: readonly string[] | undefined): boolean {
  return only === undefined || only.some((wanted) => id === wanted || id.startsWith(`${wanted}.`));
}

function isoTime(probe: Probe): string {
  return new Date(probe.now()).toISOString();
}

/** Runs a rule. A request without an answer breaks the rule that sends it. */
async function runRule<S extends Subject>(rule: Rule<S>, subject: S): Promise<Verdict> {
  try {
    return await rule.run(subject);
  } catch (error) {
    if (error instanceof RuleEnd) return error.verdict;
    if (!(error instanceof ConformError)) throw error;
    if (error.code === 'BUDGET') return { kind: 'inapplicable', reason: error.message };
    if (error.request === undefined) throw error;
    return { kind: 'broken', request: error.request, expected: NO_ANSWER, found: error.message };
  }
}

function toOutcome<S extends Subject>(
  { level, readings }: Rule<S>,
  verdict: Verdict,
  probe: Pick<Probe, 'hasToken'>,
): Pick<RuleResult, 'outcome' | 'curl' | 'expected' | 'found' | 'note'> {
  switch (verdict.kind) {
    case 'kept':
      return { outcome: 'pass', ...(verdict.note !== undefined && { note: verdict.note }) };
    case 'inapplicable':
      return { outcome: 'skip', note: verdict.reason };
    case 'broken': {
      const outcome = level === 'MUST' && readings === undefined ? 'fail' : 'warn';
      return { outcome, curl: toCurl(verdict.request, probe), expected: verdict.expected, found: verdict.found };
    }
  }
}
