import { inapplicable, KEPT, type Rule, type Verdict } from '../../engine/rule.js';
import type { DecodedFile } from '../file/decode-file.js';
import { readKnownFile } from '../file/whole-file.js';
import type { HtsgetSubject } from '../htsget-subject.js';
import {
  type ComparedAnswer,
  expectComplete,
  expectOnce,
  expectOrder,
  expectRecords,
  expectUnaltered,
  expectWholeFile,
  readRegion,
  regionsOf,
} from './compared-answer.js';
import type { ChosenRegions, ProbeRegion } from './region.js';

const OVERLAP = 'GET query parameters, referenceName';
const SUPERSET = 'What the service does 4';
const EMPTY = 'Result rules 2';

/** Creates a rule about each of the small regions. */
function smallRegionRule(
  { name, section, title }: { readonly name: string; readonly section: string; readonly title: string },
  check: (answer: ComparedAnswer) => Verdict,
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
      const region = choose(await regionsOf(subject), await readKnownFile(subject));
      return region === undefined
        ? inapplicable('the file has no such region')
        : expectRecords(await readRegion(subject, region));
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
