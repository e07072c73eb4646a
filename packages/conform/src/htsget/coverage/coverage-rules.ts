import { type Answer, describeAnswer } from '../../engine/answer.js';
import { allKept, broken, inapplicable, KEPT, keptWith, type Rule, type Verdict } from '../../engine/rule.js';
import { readAnswer, readKnownFile } from '../file/whole-file.js';
import { askTicket, type HtsgetSubject } from '../htsget-subject.js';
import { formatRegions, toParameters } from '../regions/region.js';
import { askCoverage } from './ask-coverage.js';
import {
  BINS,
  type BinnedRegion,
  binParameters,
  type CoverageBins,
  largeBinnedRegion,
  parseBins,
  readBins,
  smallBinnedRegions,
} from './coverage-bins.js';
import { recomputeBins } from './recomputed-bins.js';

const RULE = { section: 'coverage', level: 'SHOULD', scope: 'object' } as const;

/** Makes a rule about the bins of each small region. */
function withSmallRegions(
  check: (subject: HtsgetSubject, bins: CoverageBins) => Verdict | Promise<Verdict>,
): Rule<HtsgetSubject>['run'] {
  return async (subject) => {
    const regions = await smallBinnedRegions(subject);
    return allKept(regions.map((region) => async () => check(subject, await readBins(subject, region))));
  };
}

/** Compares values with those that were computed from the records. Means have six digits. */
function expectNumbers(
  { answer, region }: Pick<CoverageBins, 'answer' | 'region'>,
  name: string,
  { expected, found }: { readonly expected: readonly number[]; readonly found: readonly number[] },
): Verdict {
  const isSame = (value: number, bin: number): boolean => {
    const other = found[bin] ?? Number.NaN;
    return Math.abs(other - value) <= 1e-5 * value;
  };
  if (found.length === expected.length && expected.every(isSame)) return KEPT;
  const where = `${name} of ${formatRegions([region])}:`;
  return broken(answer, { expected: `${where} ${expected.join(' ')}`, found: found.join(' ') });
}

/** Compares the bins of a small region with the records that htsget answers for it. */
async function expectRecomputed(subject: HtsgetSubject, bins: CoverageBins, name: 'values' | 'max'): Promise<Verdict> {
  if (bins.isEstimated) return inapplicable('the service estimates small regions');
  const { decoded } = await readAnswer(subject, await askTicket(subject, toParameters(bins.region)));
  const expected = recomputeBins(subject, bins.region, decoded.records)[name];
  if (expected === undefined) return inapplicable('variants have no depth');
  return expectNumbers(bins, name === 'max' ? 'greatest depths' : 'bins', { expected, found: bins[name] ?? [] });
}

/** Checks that bins are exact, or that the answer says that they are not. */
async function expectHonest(subject: HtsgetSubject, region: BinnedRegion): Promise<Verdict> {
  const bins = await readBins(subject, region);
  if (bins.isEstimated) {
    const { answer, max } = bins;
    if (max !== undefined) return broken(answer, { expected: 'no greatest depths in an estimate', found: 'some' });
    return keptWith('an estimate');
  }
  const { records } = await readKnownFile(subject);
  const { values: expected } = recomputeBins(subject, region, records);
  return expectNumbers(bins, 'bins, which are not said to be estimates,', { expected, found: bins.values });
}

/** Returns the 32-bit little-endian numbers of a body. */
function floatsOf({ body }: Answer): readonly number[] {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  return Array.from({ length: Math.floor(body.length / 4) }, (_, index) => view.getFloat32(4 * index, true));
}

async function expectFloats(subject: HtsgetSubject, { region, isEstimated, values }: CoverageBins): Promise<Verdict> {
  const headers = { accept: 'application/octet-stream' };
  const answer = await askCoverage(subject, { parameters: binParameters(region), headers });
  const type = `${headers.accept}; estimated=${isEstimated}`;
  const found = answer.headers.get('content-type') ?? '';
  if (answer.status !== 200 || found.replaceAll(' ', '') !== type.replaceAll(' ', '')) {
    return broken(answer, { expected: `status 200 and Content-Type: ${type}`, found: `${answer.status} ${found}` });
  }
  return expectNumbers({ answer, region }, 'numbers', { expected: values, found: floatsOf(answer) });
}

/** Rules about the values of coverage, which run only if the service announces it. */
export const COVERAGE_RULES: readonly Rule<HtsgetSubject>[] = [
  {
    ...RULE,
    id: 'htsget.coverage.document',
    title: 'answers the bins of a region with the region, the bins, and whether they are estimates',
    run: async (subject) => {
      const [region] = await smallBinnedRegions(subject);
      const answer = await askCoverage(subject, { parameters: binParameters(region) });
      if (parseBins(subject, region, answer) !== undefined) return KEPT;
      const member = subject.datatype === 'reads' ? 'mean' : 'counts';
      const expected = `status 200, the region, "estimated", and "${member}" with ${BINS} numbers`;
      return broken(answer, { expected, found: describeAnswer(answer) });
    },
  },
  {
    ...RULE,
    id: 'htsget.coverage.bins',
    title: 'has the mean depth, or the number of variants, that the records of the region have',
    run: withSmallRegions((subject, bins) => expectRecomputed(subject, bins, 'values')),
  },
  {
    ...RULE,
    id: 'htsget.coverage.max',
    title: 'has the greatest depth of each bin that the records of the region have',
    run: withSmallRegions((subject, bins) => expectRecomputed(subject, bins, 'max')),
  },
  {
    ...RULE,
    id: 'htsget.coverage.estimated',
    title: 'has exact bins of a long region, or says that they are estimates, which have no greatest depth',
    run: async (subject) => expectHonest(subject, await largeBinnedRegion(subject)),
  },
  {
    ...RULE,
    id: 'htsget.coverage.floats',
    title: 'answers the same bins as 32-bit numbers',
    run: withSmallRegions(expectFloats),
  },
];
