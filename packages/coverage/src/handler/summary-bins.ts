import { FormatError } from '@htskit/formats';
import type { BigWigReader, BigWigZoomLevel } from '@htskit/formats/internal';
import type { ByteRange } from '@htskit/io';
import { firstIndex, loopTurns } from '@htskit/io/internal';
import { binEdges } from '../depth/depth-bins.js';
import type { CoverageRegion } from './exact-bins.js';

/** The depth of bins, from a bigWig file. */
export interface SummaryBins {
  readonly estimated: boolean;
  readonly mean: Float32Array;
  /** Undefined if the values are estimates. */
  readonly max?: Float32Array;
}

export interface SummaryOptions {
  /** The number of bases of the reference: a file that states another one is that of other data. */
  readonly length: number | undefined;
  /** The maximum number of bytes that are read of the runs for exact values. */
  readonly maxBytes: number;
}

/** Items of a block of bigWig files, in those of UCSC's programs and ours. */
const ITEMS_PER_BLOCK = 1024;
/** Blocks that are read before other requests have their turn. */
const TURN_BLOCKS = 64;

/**
 * Returns the depth of bins from the zoom levels of a bigWig file. Where a summary reaches over the edge of a bin, the runs
 * themselves are read, so that means and maxima are exact; if these have more than `maxBytes`, the summary is shared out by bases, and
 * the values are estimates. Returns undefined if the file has no such reference, or no zoom levels for so many bytes.
 */
export async function summaryBins(
  file: BigWigReader,
  region: CoverageRegion,
  { length, maxBytes }: SummaryOptions,
): Promise<SummaryBins | undefined> {
  const reference = await file.find(region.referenceName);
  if (reference === undefined || (length !== undefined && reference.length !== length)) return undefined;
  const place: PlacedRegion = { ...region, referenceId: reference.referenceId, maxBytes };
  return (await exactBins(file, place)) ?? (await sharedBins(file, place));
}

/** A region with the id of its reference in the bigWig file. */
interface PlacedRegion extends CoverageRegion {
  readonly maxBytes: number;
}

async function exactBins(file: BigWigReader, region: PlacedRegion): Promise<SummaryBins | undefined> {
  const bins = new ValueBins(region);
  const { start, end, referenceId } = region;
  const level = chooseLevel(file, region, await blockBases(file));
  let rest = [{ start, end }];
  if (level !== undefined) {
    const blocks = await file.locate(level.indexOffset, rest, region);
    if (blocks === undefined) return undefined;
    rest = [];
    await inTurns(blocks, (some) =>
      file.visitSummaries(some, referenceId, (from, to, sum, maximum) => {
        if (to <= start || from >= end || bins.addWithin(from, to, sum, maximum)) return;
        // Summaries are disjoint, so that one at most reaches over each edge.
        if (rest.length > region.bins) throw overlapError();
        rest.push({ start: Math.max(from, start), end: Math.min(to, end) });
      }),
    );
  }
  const blocks = await file.locate(file.runsIndexOffset, rest, region);
  if (blocks === undefined) return undefined;
  let next = 0;
  await inTurns(blocks, (some) =>
    file.visitRuns(some, referenceId, (from, to, _, value) => {
      while (next < rest.length && (rest[next]?.end ?? 0) <= from) next++;
      for (let i = next; to > (rest[i]?.start ?? Infinity); i++) {
        const part = rest[i];
        if (part !== undefined) bins.add(Math.max(from, part.start), Math.min(to, part.end), value);
      }
    }),
  );
  return bins.toResult(false);
}

function overlapError(): FormatError {
  return new FormatError('INVALID_DATA', 'summaries of a bigWig file overlap', { offset: 0 });
}

/** Shares out the sums of summaries of at most half as many bases as a bin, as far as there are any. */
async function sharedBins(file: BigWigReader, region: PlacedRegion): Promise<SummaryBins | undefined> {
  const { start, end, referenceId } = region;
  const binBases = (end - start) / region.bins;
  const level = file.levels.findLast(({ reduction }) => reduction <= binBases / 2) ?? file.levels[0];
  const blocks = level && (await file.locate(level.indexOffset, [{ start, end }], region));
  if (blocks === undefined) return undefined;
  const bins = new ValueBins(region);
  await inTurns(blocks, (some) =>
    file.visitSummaries(some, referenceId, (from, to, sum) => {
      if (from < to) bins.add(Math.max(from, start), Math.min(to, end), sum / (to - from));
    }),
  );
  return bins.toResult(true);
}

async function inTurns(
  blocks: readonly ByteRange[],
  visit: (some: readonly ByteRange[]) => Promise<void>,
): Promise<void> {
  for (let first = 0; first < blocks.length; first += TURN_BLOCKS) {
    await visit(blocks.slice(first, first + TURN_BLOCKS));
    await loopTurns.next();
  }
}

/** Returns the mean number of bases of a block of runs. */
async function blockBases(file: BigWigReader): Promise<number> {
  return Math.max(ITEMS_PER_BLOCK, file.coveredBases / Math.max(1, await file.runBlockCount()));
}

/**
 * Returns the zoom level that takes the fewest blocks, of its own and of the runs of those summaries that reach over an edge, or
 * undefined if the runs alone take fewer.
 */
function chooseLevel(
  { levels }: BigWigReader,
  { start, end, bins }: CoverageRegion,
  basesPerBlock: number,
): BigWigZoomLevel | undefined {
  const bases = end - start;
  let best: BigWigZoomLevel | undefined;
  let fewest = bases / basesPerBlock;
  for (const level of levels) {
    const blocks = bases / (level.reduction * ITEMS_PER_BLOCK) + (bins + 1) * (1 + level.reduction / basesPerBlock);
    if (blocks >= fewest) continue;
    best = level;
    fewest = blocks;
  }
  return best;
}

/** Sums and maxima of values by bin. */
class ValueBins {
  readonly #edges: Float64Array;
  readonly #sums: Float64Array;
  readonly #maxima: Float32Array;
  #last = 0;

  constructor(region: CoverageRegion) {
    this.#edges = binEdges(region, { bins: region.bins });
    this.#sums = new Float64Array(region.bins);
    this.#maxima = new Float32Array(region.bins);
  }

  /** Adds bases that are in one bin. Returns false, and adds nothing, if they are not. */
  addWithin(start: number, end: number, sum: number, maximum: number): boolean {
    if (start < this.#edgeAt(0)) return false;
    const bin = this.#binOf(start);
    if (end > this.#edgeAt(bin + 1)) return false;
    this.#addTo(bin, sum, maximum);
    return true;
  }

  /** Adds bases of one value, all of which are in the region. */
  add(start: number, end: number, value: number): void {
    for (let bin = this.#binOf(start), from = start; from < end; bin++) {
      const to = Math.min(end, this.#edgeAt(bin + 1));
      if (to > from) this.#addTo(bin, (to - from) * value, value);
      from = Math.max(from, to);
    }
  }

  /** Throws `FormatError` if a value is not finite. */
  toResult(estimated: boolean): SummaryBins {
    const mean = Float32Array.from(this.#sums, (sum, bin) => {
      if (!Number.isFinite(sum)) throw new FormatError('INVALID_DATA', 'a bigWig value is not finite', { offset: 0 });
      return sum === 0 ? 0 : sum / (this.#edgeAt(bin + 1) - this.#edgeAt(bin));
    });
    return estimated ? { estimated, mean } : { estimated, mean, max: this.#maxima };
  }

  #addTo(bin: number, sum: number, maximum: number): void {
    this.#sums[bin] = (this.#sums[bin] ?? 0) + sum;
    if (maximum > (this.#maxima[bin] ?? 0)) this.#maxima[bin] = maximum;
  }

  /** Looks in the last bin first: most values are in the same one as those before. */
  #binOf(base: number): number {
    if (base >= this.#edgeAt(this.#last) && base < this.#edgeAt(this.#last + 1)) return this.#last;
    this.#last = firstIndex(this.#sums.length, (bin) => this.#edgeAt(bin + 1) > base);
    return this.#last;
  }

  #edgeAt(index: number): number {
    return this.#edges[index] ?? Infinity;
  }
}
