export { type ConformOptions, conform } from './conform.js';
export { ConformError, type ConformErrorCode } from './conform-error.js';
export type { DrsSubject } from './drs/drs-subject.js';
export { DRS_RULES } from './drs/rules.js';
export { Answer, type JsonObject } from './engine/answer.js';
export { Probe, type ProbeOptions } from './engine/probe.js';
export type { ProbeRequest } from './engine/probe-request.js';
export {
  broken,
  inapplicable,
  KEPT,
  type Level,
  type Rule,
  type Scope,
  type Subject,
  type Verdict,
} from './engine/rule.js';
export { type Outcome, type RuleResult, runSuite, type Suite } from './engine/run-suite.js';
export type { FileJudge, HtsgetSubject } from './htsget/htsget-subject.js';
export { HTSGET_RULES } from './htsget/rules.js';
export type { RefgetSubject } from './refget/refget-subject.js';
export { REFGET_RULES } from './refget/rules.js';
export { toJunitReport } from './report/junit-report.js';
export { type ConformReport, countResults, isConforming, type ResultCounts } from './report/report.js';
export { type TestbedReport, toTestbedReport } from './report/testbed-report.js';
export { formatResult, formatSummary } from './report/text-report.js';
export { SEQCOL_RULES } from './seqcol/rules.js';
export type { SeqcolSubject } from './seqcol/seqcol-subject.js';
