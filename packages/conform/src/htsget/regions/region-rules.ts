import type { Answer } from '../../engine/answer.js';
import { broken, inapplicable, KEPT, keptWith, type Rule, RuleEnd, type Verdict } from '../../engine/rule.js';
import type { DecodedFile } from '../file/decode-file.js';
import { type AnsweredFile, readAnswer, readWholeFile } from '../file/whole-file.js';
import { askTicket, type HtsgetSubject } from '../htsget-subject.js';
import { compareRecords, describeRecords, formatRegions, type RecordDifferences } from './compare-records.js';
import { type ChosenRegions, chooseRegions, type ProbeRegion, toParameters } from './region.js';

/** The answer to a request for regions, beside the whole file. */
export interface RegionAnswer extends AnsweredFile {
  readonly regions: readonly ProbeRegion[];
  readonly whole: DecodedFile;
  readonly differences: RecordDifferences;
}

/** Asks for a region by GET, and compares the answer with the whole file. */
export async function readRegion(subject: HtsgetSubject, region: ProbeRegion): Promise<RegionAnswer> {
  return compareAnswer(subject, await askTicket(subject, toParameters(region)), [region]);
}

export async function compareAnswer(
  subject: HtsgetSubject,
  ticket: Answer,
  regions: readonly ProbeRegion[],
): Promise<RegionAnswer> {
  const whole = await readWholeFile(subject);
  const answer = await readAnswer(subject, ticket);
  return { ...answer, regions, whole, differences: compareRecords(answer.decoded, whole, regions) };
}

/** Returns the regions to ask for. Ends the rule if the file has no placed records. */
export async function regionsOf(subject: HtsgetSubject): Promise<ChosenRegions> {
  const chosen = chooseRegions(await readWholeFile(subject));
  if (chosen === undefined) throw new RuleEnd(inapplicable('the file has no records with a position'));
  return chosen;
}

/** Checks that all records of the regions are in an answer. */
export function expectComplete({ ticket, regions, differences }: RegionAnswer): Verdict {
  const { missing, expectedCount } = differences;
  if (missing.length === 0) return keptWith(`${expectedCount} records`);
  const expected = `the ${expectedCount} records of the file that overlap ${formatRegions(regions)}`;
  return broken(ticket, { expected, found: `without ${describeRecords(missing)}` });
}

/** Checks that each record of an answer is one of the file. */
export function expectUnaltered({ ticket, differences: { foreign } }: RegionAnswer): Verdict {
  if (foreign.length === 0) return KEPT;
  return broken(ticket, { expected: 'records of the file', found: `${describeRecords(foreign)} not in the file` });
}

/** Checks that no record occurs more often than in the file. */
export function expectOnce({ ticket, differences: { repeated } }: RegionAnswer): Verdict {
  if (repeated.length === 0) return KEPT;
  return broken(ticket, { expected: 'each record once', found: `${describeRecords(repeated)} again` });
}

/** Checks that the records of an answer are in the order of the file. */
export function expectOrder({ ticket, differences: { misplaced } }: RegionAnswer): Verdict {
  if (misplaced === undefined) return KEPT;
  return broken(ticket, {
    expected: 'the order of the file',
    found: `${describeRecords([misplaced])} after a later one`,
  });
}

/** Checks the header and the end of an answer, which is a whole file of its own. */
export function expectWholeFile({
  ticket,
  decoded,
  whole,
}: Pick<RegionAnswer, 'ticket' | 'decoded' | 'whole'>): Verdict {
  const names = decoded.references.map(({ name }) => name).join();
  if (names !== whole.references.map(({ name }) => name).join()) {
    return broken(ticket, {
      expected: 'the references of the whole file in the header',
      found: `others: ${names.slice(0, 80)}`,
    });
  }
  if (decoded.hasEof !== false) return KEPT;
  return broken(ticket, { expected: 'the EOF marker at the end', found: 'another end' });
}

/** Runs all checks of an answer, and returns the first that fails. */
export function expectRegions(answer: RegionAnswer): Verdict {
  const checks = [expectWholeFile, expectUnaltered, expectOnce, expectOrder].map((check) => check(answer));
  return checks.find(({ kind }) => kind !== 'kept') ?? expectComplete(answer);
}

const OVERLAP = 'GET query parameters, referenceName';
const SUPERSET = 'What the service does 4';
const EMPTY = 'Result rules 2';

/** Creates a rule about each of the small regions. */
function smallRegionRule(
  { name, section, title }: { readonly name: string; readonly section: string; readonly title: string },
  check: (answer: RegionAnswer) => Verdict,
): Rule<HtsgetSubject> {
  return {
    id: `htsget.regions.${name}`,
    section,
    level: 'MUST',
    scope: 'format',
    title,
    async run(subject) {
      let last: Verdict = KEPT;
      for (const region of (await regionsOf(subject)).small) {
        last = check(await readRegion(subject, region));
        if (last.kind === 'broken') return last;
      }
      return last;
    },
  };
}

const SMALL_RULES: readonly Rule<HtsgetSubject>[] = [
  smallRegionRule(
    { name: 'file', section: EMPTY, title: 'answers a region with a whole file: header, records, EOF marker' },
    expectWholeFile,
  ),
  smallRegionRule(
    { name: 'complete', section: SUPERSET, title: 'answers a region with all its records' },
    expectComplete,
  ),
  smallRegionRule(
    { name: 'unaltered', section: SUPERSET, title: 'answers a region with records of the file, unaltered' },
    expectUnaltered,
  ),
  smallRegionRule({ name: 'once', section: SUPERSET, title: 'answers a region with each record once' }, expectOnce),
  smallRegionRule(
    { name: 'order', section: SUPERSET, title: 'answers a region in the order of the file' },
    expectOrder,
  ),
];

/** Creates a rule about one region, with all checks. */
function regionRule(
  { name, section, title }: { readonly name: string; readonly section: string; readonly title: string },
  choose: (regions: ChosenRegions, whole: DecodedFile) => ProbeRegion | undefined,
): Rule<HtsgetSubject> {
  return {
    id: `htsget.regions.${name}`,
    section,
    level: 'MUST',
    scope: 'format',
    title,
    async run(subject) {
      const region = choose(await regionsOf(subject), await readWholeFile(subject));
      return region === undefined
        ? inapplicable('the file has no such region')
        : expectRegions(await readRegion(subject, region));
    },
  };
}

const PARAMETERS = 'GET query parameters';

const EDGE_RULES: readonly Rule<HtsgetSubject>[] = [
  regionRule(
    { name: 'reference', section: OVERLAP, title: 'answers a whole reference with all its records' },
    ({ references: [name] }) => (name === undefined ? undefined : { referenceName: name }),
  ),
  regionRule(
    { name: 'last-reference', section: OVERLAP, title: 'answers the last reference with all its records' },
    ({ references }) => {
      const name = references.at(-1);
      return name === undefined ? undefined : { referenceName: name };
    },
  ),
  regionRule(
    { name: 'base', section: OVERLAP, title: 'answers a single base with the records that cover it' },
    ({ base }) => base,
  ),
  regionRule(
    { name: 'start', section: `${PARAMETERS}, start`, title: 'answers a start without an end up to the last base' },
    ({ small }) => {
      const last = small.at(-1);
      return last && { referenceName: last.referenceName, start: last.start ?? 0 };
    },
  ),
  regionRule(
    { name: 'end', section: `${PARAMETERS}, end`, title: 'answers an end without a start from the first base' },
    ({ small: [first] }) => first && { referenceName: first.referenceName, end: first.end ?? 1 },
  ),
  regionRule(
    {
      name: 'last-base',
      section: `${PARAMETERS}, end`,
      title: 'excludes the base of end, and includes the one before it',
    },
    ({ references }, { records }) => {
      const last = records.filter(({ referenceName }) => referenceName === references[0]).at(-1);
      return last?.referenceName === undefined
        ? undefined
        : { referenceName: last.referenceName, start: last.end - 1, end: last.end };
    },
  ),
  regionRule(
    { name: 'empty-reference', section: EMPTY, title: 'answers a reference without records with a file without them' },
    ({ emptyReference }) => (emptyReference === undefined ? undefined : { referenceName: emptyReference }),
  ),
  regionRule(
    { name: 'no-records', section: EMPTY, title: 'answers a region without records with a whole file' },
    ({ references: [name] }, { records }) => {
      const end = Math.max(
        ...records.filter(({ referenceName }) => referenceName === name).map((record) => record.end),
      );
      return name === undefined ? undefined : { referenceName: name, start: end + 20, end: end + 30 };
    },
  ),
];

export const REGION_RULES: readonly Rule<HtsgetSubject>[] = [...SMALL_RULES, ...EDGE_RULES];
