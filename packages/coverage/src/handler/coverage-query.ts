import type { RequestParameters } from '@htskit/http/internal';
import { type Datatype, HtsgetError, type HtsgetRegion, parseHtsgetGet } from '@htskit/protocol';

/** The region and the number of bins of a request. */
export interface CoverageQuery {
  readonly region: HtsgetRegion;
  readonly bins: number;
}

const DEFAULT_BINS = 100;

/** Returns the datatype of the object: `reads` unless the request says `variants`. Throws `HtsgetError` InvalidInput. */
export function parseDatatype(parameters: RequestParameters): Datatype {
  const datatype = parameters.get('datatype') ?? 'reads';
  if (datatype === 'reads' || datatype === 'variants') return datatype;
  throw new HtsgetError('InvalidInput', `datatype must be reads or variants, found ${JSON.stringify(datatype)}`);
}

/** Parses a region as htsget does, and the number of bins. Throws `HtsgetError`, most often InvalidInput and InvalidRange. */
export function parseCoverageQuery(datatype: Datatype, parameters: RequestParameters, maxBins: number): CoverageQuery {
  const { regions, invalidRange } = parseHtsgetGet(datatype, parameters);
  const [region] = regions ?? [];
  if (region === undefined) throw new HtsgetError('InvalidInput', 'referenceName is required');
  if (invalidRange !== undefined) throw new HtsgetError('InvalidRange', invalidRange);
  if (region.referenceName === '*') throw new HtsgetError('InvalidInput', 'unplaced reads have no coverage');
  const text = parameters.get('bins') ?? String(DEFAULT_BINS);
  const bins = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  if (bins >= 1 && bins <= maxBins) return { region, bins };
  throw new HtsgetError('InvalidInput', `bins must be an integer from 1 to ${maxBins}, found ${JSON.stringify(text)}`);
}
