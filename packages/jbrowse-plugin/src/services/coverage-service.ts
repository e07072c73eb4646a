import type { Fetch } from '@htskit/http';
import type { CoverageBins } from '../features/coverage-bins.js';
import type { Region } from '../jbrowse/adapter.js';
import { fetchJson } from './fetch-json.js';

/** The maximum number of bins that a server of htskit returns by default. */
const MOST_BINS = 10_000;
const MOST_BYTES = 2 ** 24;

/** Returns the number of bins of a region at a zoom: one for each pixel, and at most one for each base. */
export function countBins({ start, end }: Region, bpPerPx: number): number {
  const bases = Math.max(1, Math.ceil(end - start));
  return Math.max(1, Math.min(bases, MOST_BINS, Math.ceil(bases / bpPerPx)));
}

/** Requests the depths of a region from `/coverage/ID` of htskit. Throws what `fetchJson` throws, and TypeError for another answer. */
export async function fetchCoverage(
  url: string,
  { region, bins, fetch }: { readonly region: Region; readonly bins: number; readonly fetch: Fetch },
): Promise<CoverageBins> {
  const target = new URL(url);
  const query = { referenceName: region.refName, start: Math.floor(region.start), end: Math.ceil(region.end), bins };
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, String(value));
  const document = await fetchJson(target.href, fetch, MOST_BYTES);
  if (isCoverage(document)) return document;
  throw new TypeError('the server answered with something other than the depth of reads');
}

function isCoverage(document: unknown): document is CoverageBins {
  if (typeof document !== 'object' || document === null) return false;
  const { start, end, mean } = document as Partial<CoverageBins>;
  return typeof start === 'number' && typeof end === 'number' && Array.isArray(mean);
}
