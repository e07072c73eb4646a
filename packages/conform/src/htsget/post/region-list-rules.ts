import { inapplicable, type Rule } from '../../engine/rule.js';
import type { DecodedFile } from '../file/decode-file.js';
import { readKnownFile } from '../file/whole-file.js';
import { type HtsgetSubject, postTicket } from '../htsget-subject.js';
import { ALL_RECORDS, compareAnswer, expectRecords, ofRegions, regionsOf } from '../regions/compared-answer.js';
import type { ChosenRegions, ProbeRegion } from '../regions/region.js';
import { answersPost, NO_POST } from './answers-post.js';

const SECTION = 'POST rules 4';

/** Chooses the regions of a request, or undefined if the file has none for it. */
type ChooseRegions = (chosen: ChosenRegions, whole: DecodedFile) => readonly ProbeRegion[] | undefined;

function listRule(name: string, title: string, choose: ChooseRegions): Rule<HtsgetSubject> {
  return {
    id: `htsget.post.${name}`,
    section: SECTION,
    level: 'MUST',
    scope: 'format',
    title: `answers ${title} with all their records, once and in file order`,
    async run(subject) {
      if (!(await answersPost(subject))) return inapplicable(NO_POST);
      const regions = choose(await regionsOf(subject), await readKnownFile(subject));
      if (regions === undefined) return inapplicable('the file has no such regions');
      return expectRecords(await compareAnswer(subject, await postTicket(subject, { regions }), ofRegions(regions)));
    },
  };
}

/** Returns the regions of the reference with the most small regions: far from each other, in file order. */
function sameReference({ small }: ChosenRegions): readonly ProbeRegion[] {
  const [first] = small;
  return small.filter(({ referenceName }) => referenceName === first?.referenceName);
}

function atLeastTwo(regions: readonly ProbeRegion[]): readonly ProbeRegion[] | undefined {
  return regions.length < 2 ? undefined : regions;
}

/** Returns a region from the middle of another one to beyond its end. */
function shifted({ referenceName, start = 0, end = start }: ProbeRegion): ProbeRegion {
  const half = Math.floor((end - start) / 2);
  return { referenceName, start: start + half, end: end + half };
}

/** Spreads regions of ten bases over the records of a file. */
function spread({ records }: DecodedFile): readonly ProbeRegion[] {
  const placed = records.filter(({ referenceName }) => referenceName !== undefined);
  const step = Math.max(1, Math.floor(placed.length / MANY_REGIONS));
  return placed
    .filter((_, index) => index % step === 0)
    .slice(0, MANY_REGIONS)
    .flatMap(({ referenceName, start }) =>
      referenceName === undefined ? [] : [{ referenceName, start, end: start + 10 }],
    );
}

const MANY_REGIONS = 25;

export const REGION_LIST_RULES: readonly Rule<HtsgetSubject>[] = [
  listRule('one-region', 'one region', ({ small: [first] }) => first && [first]),
  listRule('distant-regions', 'distant regions of a reference', (chosen) => atLeastTwo(sameReference(chosen))),
  listRule('several-references', 'regions of several references', ({ small, references }) =>
    references.length < 2 ? undefined : small,
  ),
  listRule('reversed-regions', 'regions in reversed order', ({ small }) => atLeastTwo(small.toReversed())),
  listRule('overlapping-regions', 'overlapping regions', ({ small: [first] }) => first && [first, shifted(first)]),
  listRule('repeated-regions', 'a region that is listed twice', ({ small: [first] }) => first && [first, first]),
  listRule('adjacent-regions', 'adjacent regions', ({ small: [first] }) => {
    if (first === undefined) return undefined;
    const { start: middle = 0 } = shifted(first);
    return [
      { ...first, end: middle },
      { ...first, start: middle },
    ];
  }),
  listRule(
    'nested-regions',
    'a region within another one',
    ({ small: [first] }) => first && [{ referenceName: first.referenceName }, first],
  ),
  listRule('many-regions', `${MANY_REGIONS} regions`, (_, whole) => atLeastTwo(spread(whole))),
  listRule('empty-among-regions', 'a region without records among others', ({ small: [first] }, { records }) => {
    if (first === undefined) return undefined;
    const { referenceName } = first;
    const end = Math.max(
      ...records.filter((record) => record.referenceName === referenceName).map((record) => record.end),
    );
    return [first, { referenceName, start: end + 20, end: end + 30 }];
  }),
  {
    id: 'htsget.post.no-regions',
    section: 'POST request body, regions',
    level: 'MUST',
    scope: 'format',
    title: 'answers a body without regions with the whole file',
    async run(subject) {
      if (!(await answersPost(subject))) return inapplicable(NO_POST);
      return expectRecords(await compareAnswer(subject, await postTicket(subject), ALL_RECORDS));
    },
  },
];
