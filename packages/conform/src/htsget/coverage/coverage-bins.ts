import type { Answer } from '../../engine/answer.js';
import { inapplicable, RuleEnd } from '../../engine/rule.js';
import { readKnownFile } from '../file/whole-file.js';
import type { HtsgetSubject, TicketParameters } from '../htsget-subject.js';
import { regionsOf } from '../regions/compared-answer.js';
import { type ProbeRegion, toParameters } from '../regions/region.js';
import { askCoverage } from './ask-coverage.js';

/** The bins of each request. */
export const BINS = 5;

/** A region whose bases are a multiple of `BINS`, so that all bins have the same number of bases. */
export type BinnedRegion = Required<ProbeRegion>;

/** The coverage of a region as a service answers it. */
export interface CoverageBins {
  readonly answer: Answer;
  readonly region: BinnedRegion;
  readonly isEstimated: boolean;
  /** The mean depth of reads, or the number of variants. */
  readonly values: readonly number[];
  /** The greatest depth of reads. */
  readonly max: readonly number[] | undefined;
}

/** Returns the parameters of a request for the bins of a region. */
export function binParameters(region: BinnedRegion): TicketParameters {
  return { ...toParameters(region), bins: String(BINS) };
}

/** Asks for the bins of a region. Ends the rule if the answer is another document, which is a fault of its own. */
export async function readBins(subject: HtsgetSubject, region: BinnedRegion): Promise<CoverageBins> {
  const answer = await askCoverage(subject, { parameters: binParameters(region) });
  const bins = parseBins(subject, region, answer);
  if (bins === undefined) throw new RuleEnd(inapplicable('the service does not answer the coverage of the region'));
  return bins;
}

/** Returns the bins of an answer, or undefined if it is not the document of the region. */
export function parseBins(
  { datatype }: Pick<HtsgetSubject, 'datatype'>,
  region: BinnedRegion,
  answer: Answer,
): CoverageBins | undefined {
  const { status, object = {} } = answer;
  const { referenceName, start, end, estimated: isEstimated, max } = object;
  const values = object[datatype === 'reads' ? 'mean' : 'counts'];
  const isRegion = referenceName === region.referenceName && start === region.start && end === region.end;
  if (status !== 200 || !isRegion || typeof isEstimated !== 'boolean' || !areBins(values)) return undefined;
  if (max !== undefined && !areBins(max)) return undefined;
  return { answer, region, isEstimated, values, max };
}

function areBins(value: unknown): value is readonly number[] {
  const isValue = (bin: unknown): boolean => typeof bin === 'number' && bin >= 0;
  return Array.isArray(value) && value.length === BINS && value.every(isValue);
}

/** Returns the small regions of a subject. Ends the rule if there are none. */
export async function smallBinnedRegions(subject: HtsgetSubject): Promise<readonly [BinnedRegion, ...BinnedRegion[]]> {
  const { references } = await readKnownFile(subject);
  const { small } = await regionsOf(subject);
  const lengths = new Map(references.map(({ name, length }) => [name, length]));
  const [first, ...others] = small
    .map((region) => toBinned(region, lengths.get(region.referenceName)))
    .filter((region) => region !== undefined);
  if (first === undefined) throw new RuleEnd(inapplicable('the references are too short'));
  return [first, ...others];
}

/** The most bases whose depths are added up. */
const MOST_BASES = 16 * 1024 * 1024;

/** Returns the largest region of a subject whose records are known. Ends the rule if there is none. */
export async function largeBinnedRegion(subject: HtsgetSubject): Promise<BinnedRegion> {
  const { references, window } = await readKnownFile(subject);
  const [referenceName = ''] = (await regionsOf(subject)).references;
  const length = references.find(({ name }) => name === referenceName)?.length;
  const region = toBinned(
    { end: Math.min(length ?? MOST_BASES, MOST_BASES), ...(window ?? { referenceName }) },
    length,
  );
  if (region === undefined) throw new RuleEnd(inapplicable('the reference is too short'));
  return region;
}

/** Shortens a region to bins of equal bases. Returns undefined if it has fewer bases than bins. */
function toBinned(
  { referenceName, start = 0, end = Infinity }: ProbeRegion,
  length = Infinity,
): BinnedRegion | undefined {
  const bases = Math.floor((Math.min(end, length) - start) / BINS) * BINS;
  return bases >= BINS && bases < Infinity ? { referenceName, start, end: start + bases } : undefined;
}
