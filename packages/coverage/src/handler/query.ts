import { HtsgetError, type HtsgetRegion, parseHtsgetGet, UNPLACED } from '@htskit/protocol';

/** The part of `URLSearchParams` that is read. */
type Parameters = Pick<URLSearchParams, 'get' | 'getAll' | 'has'>;

/** The requested bins. */
export interface CoverageQuery {
  readonly region: HtsgetRegion;
  readonly bins: number;
  /** The message of the InvalidRange error to answer with if the reference exists. */
  readonly invalidRange: string | undefined;
}

const REGION_PARAMETERS = ['referenceName', 'start', 'end'];

/** Bins of a query that states no number, or all that are allowed if that is fewer. */
const DEFAULT_BINS = 1000;

/** Parses a query, whose region has the syntax of htsget. Throws `HtsgetError` InvalidInput. Other parameters are ignored. */
export function parseCoverageQuery(parameters: Parameters, maxBins: number): CoverageQuery {
  const isRead = (name: string): boolean => REGION_PARAMETERS.includes(name);
  const { regions: [region] = [], invalidRange } = parseHtsgetGet('reads', {
    get: (name) => (isRead(name) ? parameters.get(name) : null),
    getAll: (name) => (isRead(name) ? parameters.getAll(name) : []),
    has: (name) => isRead(name) && parameters.has(name),
  });
  if (region === undefined) throw new HtsgetError('InvalidInput', 'coverage needs a referenceName');
  if (region.referenceName === UNPLACED) {
    throw new HtsgetError('InvalidInput', 'reads without a reference have no coverage');
  }
  return { region, bins: parseBins(parameters.getAll('bins'), maxBins), invalidRange };
}

function parseBins(values: readonly string[], maxBins: number): number {
  const [text, another] = values;
  if (text === undefined) return Math.min(DEFAULT_BINS, maxBins);
  const bins = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (another === undefined && bins >= 1 && bins <= maxBins) return bins;
  throw new HtsgetError('InvalidInput', `bins must be an integer from 1 to ${maxBins}, given once`);
}
