import { rounded } from '../dom.js';
import type { ShownReference } from '../records/decode-records.js';
import { type Overview, overviewSection } from '../region/overview-section.js';
import type { ObjectPlace } from '../route.js';
import { service } from '../service.js';

type CoveredObject = Pick<ObjectPlace, 'datatype' | 'id'>;

/** Shows the depth of all references of an object, or their density of variants. */
export function overviewOf(
  object: CoveredObject,
  references: readonly ShownReference[],
  hrefOf: (region: { readonly referenceName: string }) => string,
): Overview {
  return overviewSection({
    references,
    describe: (binBases) => describeCoverage(object, binBases),
    hrefOf: (referenceName) => hrefOf({ referenceName }),
    load: ({ name, length }, bins) => service.coverage(object, { referenceName: name, start: 0, end: length, bins }),
  });
}

/** Returns what the coverage of an object is called. */
export function coverageName({ datatype }: Pick<ObjectPlace, 'datatype'>): string {
  return datatype === 'reads' ? 'depth' : 'density';
}

/** Returns what the values of bins of some bases are: depths are means, and densities are counts. */
export function describeCoverage(object: Pick<ObjectPlace, 'datatype'>, binBases: number): string {
  const what = coverageName(object);
  return object.datatype === 'reads' ? what : `${what} per ${rounded(binBases)} ${binBases === 1 ? 'base' : 'bases'}`;
}
