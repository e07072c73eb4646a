import type { HtsgetRegion } from '@htskit/protocol';
import { formatRegion } from '../../src/stored-file/parse-region.js';
import { h, rounded } from '../dom.js';
import type { ShownReference } from '../records/decode-records.js';
import { type Place, toFragment } from '../route.js';
import { service } from '../service.js';
import { DepthSection } from './depth-section.js';
import { hint } from './notices.js';
import { type Overview, overviewSection } from './overview-section.js';

type ObjectPlace = Extract<Place, { view: 'object' }>;

export interface CoverageViewOptions {
  readonly place: ObjectPlace;
  readonly region: HtsgetRegion | undefined;
  readonly references: readonly ShownReference[];
}

/** Shows the depth of all references of an object, or their density of variants. */
export function overviewOf({ place, references }: Omit<CoverageViewOptions, 'region'>): Overview {
  return overviewSection({
    references,
    describe: (binBases) => describe(place, binBases),
    hrefOf: (referenceName) => fragmentOf(place, { referenceName }),
    load: ({ name, length }, bins) => service.coverage(place, { referenceName: name, start: 0, end: length, bins }),
  });
}

/** Shows the depth of a region of an object, or its density of variants. */
export function depthOf({ place, region, references }: CoverageViewOptions, signal: AbortSignal): HTMLElement {
  const { referenceName = '', start = 0 } = region ?? {};
  const length = references.find(({ name }) => name === referenceName)?.length;
  if (length === undefined || start >= length) {
    return hint(region === undefined ? 'Enter a region to see it.' : 'The header has no length of this reference.');
  }
  const interval = { start, end: Math.min(region?.end ?? length, length) };
  const { element } = new DepthSection({
    referenceName,
    interval,
    length,
    what: whatOf(place),
    describe: (binBases) => describe(place, binBases),
    load: (bins) => service.coverage(place, { referenceName, ...interval, bins }, signal),
    onInterval: (next) => {
      location.hash = fragmentOf(place, { referenceName, ...next });
    },
  });
  return h('div', {}, element);
}

function whatOf({ datatype }: ObjectPlace): string {
  return datatype === 'reads' ? 'depth' : 'density';
}

/** Depths are means, and densities are counts. */
function describe(place: ObjectPlace, binBases: number): string {
  const what = whatOf(place);
  return place.datatype === 'reads' ? what : `${what} per ${rounded(binBases)} ${binBases === 1 ? 'base' : 'bases'}`;
}

function fragmentOf({ datatype, id }: ObjectPlace, region: HtsgetRegion): string {
  return toFragment({ view: 'object', datatype, id, region: formatRegion(region) });
}
