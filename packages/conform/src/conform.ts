import { ConformError } from './conform-error.js';
import { type Discovery, discover, type ServicePath } from './discovery/discover.js';
import { type DrsSubject, findDrsSubjects } from './drs/drs-subject.js';
import { DRS_RULES } from './drs/rules.js';
import { Probe, type ProbeOptions } from './engine/probe.js';
import type { Subject } from './engine/rule.js';
import { type RuleResult, runSuite, type Suite } from './engine/run-suite.js';
import { recogniseFormat } from './htsget/file/inflate-file.js';
import {
  type FileJudge,
  findHtsgetSubjects,
  type HtsgetSubject,
  type HtsgetSubjectOptions,
} from './htsget/htsget-subject.js';
import { HTSGET_RULES } from './htsget/rules.js';
import { findRefgetSubjects, type RefgetSubject } from './refget/refget-subject.js';
import { REFGET_RULES } from './refget/rules.js';
import type { ConformReport } from './report/report.js';
import { SEQCOL_RULES } from './seqcol/rules.js';
import { findSeqcolSubjects, type SeqcolSubject } from './seqcol/seqcol-subject.js';

/** Options of `conform`. */
export interface ConformOptions extends ProbeOptions {
  /** The ids of alignments to check. Default: the first that the service lists if no ids are named, else none. */
  readonly reads?: readonly string[];
  /** The ids of variants to check, with the same default. */
  readonly variants?: readonly string[];
  /** The digests of sequences to check, with the same default: short ones of the first collection. */
  readonly sequences?: readonly string[];
  /** The digests of sequence collections to check, with the same default. */
  readonly collections?: readonly string[];
  /** The ids of DRS objects to check, with the same default. */
  readonly drsObjects?: readonly string[];
  /** Ids of rules, or the beginnings of them up to a dot: `htsget.data`. Default: all rules. */
  readonly only?: readonly string[];
  /**
   * The file of the object, as the operator has it: BAM, CRAM, VCF or BCF. The run must name one object. Default: the file that the
   * service answers without a region.
   */
  readonly truth?: Uint8Array;
  /** Has another program read each answer. */
  readonly judge?: FileJudge;
  /** Called for each result as soon as it is known. */
  readonly onResult?: (result: RuleResult) => void;
}

/** Objects of a listing that are checked by default, of each kind. */
const LISTED_OBJECTS = 2;

/**
 * Checks the services below a URL: htsget, refget, and sequence collections. Throws `ConformError` if there is no service, or if its
 * objects are not known.
 *
 * @example
 * const report = await conform('https://data.example.org', { reads: ['NA12878'] });
 * console.log(isConforming(report), formatSummary(report));
 */
export async function conform(url: string, options: ConformOptions = {}): Promise<ConformReport> {
  const { reads, variants, sequences, collections, drsObjects, only, onResult } = options;
  const probe = new Probe(options);
  const startTime = new Date(probe.now()).toISOString();
  const discovery = await discover(url, probe, {
    reads,
    variants,
    sequence: sequences,
    collection: collections,
    drs: drsObjects,
  });
  const htsget = await htsgetSuite(discovery, probe, options);
  const refget = refgetSuite(discovery, probe, options);
  const seqcol = seqcolSuite(discovery, probe, options);
  const drs = drsSuite(discovery, probe, options);
  if ([htsget, refget, seqcol, drs].every(({ subjects }) => subjects.length === 0)) {
    const paths = discovery.services.map(({ path }) => path);
    throw new ConformError('MISSING_IDS', `the service does not list its objects; name some (${paths.join(', ')})`);
  }
  const results: RuleResult[] = [];
  const run = async <S extends Subject>(suite: Suite<S>): Promise<void> => {
    for await (const result of runSuite(suite, only === undefined ? {} : { only })) {
      results.push(result);
      onResult?.(result);
    }
  };
  await run(htsget);
  await run(refget);
  await run(seqcol);
  await run(drs);
  const parameters = {
    reads,
    variants,
    sequences,
    collections,
    drsObjects,
    only,
    hasTruth: options.truth !== undefined,
  };
  const endTime = new Date(probe.now()).toISOString();
  return { url: discovery.base, service: discovery.name, parameters, results, startTime, endTime };
}

async function htsgetSuite(discovery: Discovery, probe: Probe, options: ConformOptions): Promise<Suite<HtsgetSubject>> {
  const subjects: HtsgetSubject[] = [];
  const { truth, judge } = options;
  for (const service of discovery.services.filter(({ path }) => path === 'reads' || path === 'variants')) {
    const ids = idsOf(discovery, service.path, options);
    const known = truth === undefined ? undefined : recogniseTruth(truth, service.path);
    if (known !== undefined && ids.length > 1) {
      throw new ConformError('INVALID_TARGET', 'name the one object that the file is of');
    }
    subjects.push(
      ...(await findHtsgetSubjects(service, { probe, ids, ...(known && { truth: known }), ...(judge && { judge }) })),
    );
  }
  return { name: 'htsget', specification: 'htsget 1.3.1', rules: HTSGET_RULES, subjects };
}

/** Returns the file with its format, or undefined if it is of the other datatype. Throws `ConformError` INVALID_TARGET. */
function recogniseTruth(bytes: Uint8Array, path: ServicePath): HtsgetSubjectOptions['truth'] {
  const format = recogniseFormat(bytes);
  if (format === undefined) throw new ConformError('INVALID_TARGET', 'expected a file that is BAM, CRAM, VCF or BCF');
  const isReads = format === 'BAM' || format === 'CRAM';
  return isReads === (path === 'reads') ? { format, bytes } : undefined;
}

function refgetSuite(discovery: Discovery, probe: Probe, options: ConformOptions): Suite<RefgetSubject> {
  const subjects = findRefgetSubjects(discovery, { probe, ids: idsOf(discovery, 'sequence', options) });
  return { name: 'refget', specification: 'refget 2.0.0', rules: REFGET_RULES, subjects };
}

function seqcolSuite(discovery: Discovery, probe: Probe, options: ConformOptions): Suite<SeqcolSubject> {
  const subjects = findSeqcolSubjects(discovery, { probe, digests: idsOf(discovery, 'collection', options) });
  return { name: 'seqcol', specification: 'sequence collections 1.0.0', rules: SEQCOL_RULES, subjects };
}

function drsSuite(discovery: Discovery, probe: Probe, options: ConformOptions): Suite<DrsSubject> {
  const subjects = findDrsSubjects(discovery, { probe, ids: idsOf(discovery, 'drs', options) });
  return { name: 'drs', specification: 'DRS 1.5', rules: DRS_RULES, subjects };
}

/** The names of the options that name ids. */
const ID_OPTIONS = {
  reads: 'reads',
  variants: 'variants',
  sequence: 'sequences',
  collection: 'collections',
  drs: 'drsObjects',
} as const satisfies Readonly<Record<ServicePath, keyof ConformOptions>>;

/** Returns the named ids or, if the caller names none at all, the first that the service lists. */
function idsOf({ listed }: Discovery, path: ServicePath, options: ConformOptions): readonly string[] {
  const areNamed = Object.values(ID_OPTIONS).some((name) => options[name] !== undefined);
  return areNamed ? (options[ID_OPTIONS[path]] ?? []) : listed[path].slice(0, LISTED_OBJECTS);
}
