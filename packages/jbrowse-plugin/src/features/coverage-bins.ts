import type { Feature } from '../jbrowse/adapter.js';
import { toFeature } from './plain-feature.js';

/** The mean depths of about equal bins of a region. */
export interface CoverageBins {
  readonly start: number;
  readonly end: number;
  readonly mean: readonly number[];
}

/** Returns the bins as features, with what `describe` returns for their depth. Bins without reads are left out. */
export function toCoverageFeatures(
  refName: string,
  { start, end, mean }: CoverageBins,
  describe: (depth: number) => object = () => ({}),
): readonly Feature[] {
  const bases = (end - start) / mean.length;
  return mean.flatMap((score, bin) => {
    if (score === 0) return [];
    const last = bin === mean.length - 1;
    const place = { start: start + Math.floor(bin * bases), end: last ? end : start + Math.floor((bin + 1) * bases) };
    return [
      toFeature({ uniqueId: `${refName}:${place.start}-${place.end}`, refName, ...place, score, ...describe(score) }),
    ];
  });
}
