import type { HtsgetRegion } from '@htskit/protocol';

/** Regions of one file; each request goes through them. */
const MAX_REGIONS = 100_000;

/**
 * The regions of a BED file, by its first three columns (BED 1.0, §1): 0-based and half-open as it counts. Blank lines,
 * comments, and lines `track` and `browser` are passed over. Throws Error, with the line, for another line that is no
 * region, for one that is empty, and for more than 100,000.
 */
export function parseBedRegions(text: string): readonly HtsgetRegion[] {
  const regions: HtsgetRegion[] = [];
  for (const [rank, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|(?:track|browser)(?:\s|$)|$)/.test(line)) continue;
    const [referenceName = '', startText = '', endText = ''] = line.split(/[\t ]+/, 3);
    const [start, end] = [parsePosition(startText), parsePosition(endText)];
    if (referenceName === '' || !(start < end)) {
      throw new Error(`line ${rank + 1}: expected a name, a start and a greater end`);
    }
    if (regions.length === MAX_REGIONS) throw new Error(`line ${rank + 1}: more than ${MAX_REGIONS} regions`);
    regions.push({ referenceName, start, end });
  }
  return regions;
}

/** NaN for what is no position. */
function parsePosition(text: string): number {
  const position = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(position) ? position : Number.NaN;
}
