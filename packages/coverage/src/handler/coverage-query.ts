import type { RequestParameters } from '@htskit/http/internal';
import { type Datatype, HtsgetError, type HtsgetRegion, parseHtsgetGet } from '@htskit/protocol';

/** The region and the number of bins of a request. */
export interface CoverageQuery {
  readonly region: HtsgetRegion;
  readonly bins: number;
}

const DEFAULT_BINS = 100;

/** Returns the datatype that a request is authorized for, before its syntax is checked: `reads` unless it says `variants`. */
export function datatypeOf(parameters: RequestParameters): Datatype {
  return parameters.get('datatype') === 'variants' ? 'variants' : 'reads';
}

/**
 * Checks the datatype, and parses a region as htsget does, and the number of bins. Throws `HtsgetError`, most often InvalidInput and
 * InvalidRange.
 */
export function parseCoverageQuery(parameters: RequestParameters, maxBins: number): CoverageQuery {
  for (const name of ['datatype', 'bins']) {
    if (parameters.getAll(name).length > 1) throw new HtsgetError('InvalidInput', `${name} is given more than once`);
  }
  const datatype = datatypeOf(parameters);
  const stated = parameters.get('datatype') ?? datatype;
  if (stated !== datatype) {
    throw new HtsgetError('InvalidInput', `datatype must be reads or variants, found ${JSON.stringify(stated)}`);
  }
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
