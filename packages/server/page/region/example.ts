import type { HtsgetRegion } from '@htskit/protocol';
import type { CoverageBins } from '../service.js';

/** Bins of an example, and how many of them are shown of reads: more would be too small to be seen. */
const [BINS, READS_BINS] = [64, 8];

/**
 * Returns the part of an example that is worth looking at: of variants without the empty ends, of reads the part with the greatest
 * depth. Returns the example itself if its coverage is not known.
 */
export async function refineExample(
  datatype: 'reads' | 'variants',
  example: HtsgetRegion,
  load: (query: Required<HtsgetRegion> & { readonly bins: number }) => Promise<CoverageBins>,
): Promise<HtsgetRegion> {
  const { referenceName, start = 0, end } = example;
  if (end === undefined || end - start <= BINS) return example;
  const bins = await load({ referenceName, start, end, bins: BINS }).catch(() => undefined);
  if (bins === undefined) return example;
  const [from, to] = datatype === 'reads' ? deepest(bins.mean) : withoutEmptyEnds(bins.mean);
  const width = (end - start) / BINS;
  return { referenceName, start: start + Math.floor(from * width), end: start + Math.ceil(to * width) };
}

/** Returns the bins [from, to) with the greatest sum. */
export function deepest(values: readonly number[], count: number = READS_BINS): readonly [from: number, to: number] {
  let best = { from: 0, sum: -1 };
  for (let from = 0; from + count <= values.length; from++) {
    const sum = values.slice(from, from + count).reduce((total, value) => total + value, 0);
    if (sum > best.sum) best = { from, sum };
  }
  return [best.from, Math.min(values.length, best.from + count)];
}

/** Returns the bins [from, to) between the first and the last that are not empty; all of them if all are empty. */
export function withoutEmptyEnds(values: readonly number[]): readonly [from: number, to: number] {
  const from = values.findIndex((value) => value > 0);
  return from === -1 ? [0, values.length] : [from, values.findLastIndex((value) => value > 0) + 1];
}
