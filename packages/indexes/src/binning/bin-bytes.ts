import type { BinLevel } from './binning-scheme.js';
import type { StoredBins } from './reference-bins.js';
import { CHUNK_WORDS } from './reference-table.js';

/** Compressed bytes per byte of data, by which a part of a block counts: about a quarter for reads and variants. */
const COMPRESSION = 0.25;
/** The greatest number of bins of a level. Those of deeper levels count as the bins that contain them. */
const MAX_BINS = 2 ** 18;
const NO_LEVEL: BinLevel = { first: 0, end: 0, span: 0 };

/** The bytes of bins by their numbers, 0 between calls. New memory for each reference would take a third of the time. */
let binBytes = new Float64Array(0);

/**
 * Returns about how many bytes the records of a reference take between consecutive edges, which ascend: those of the chunks of each bin,
 * distributed evenly over its bases. The linear index is not used: one long record makes all windows that it overlaps begin with it.
 */
export function bytesBetween(stored: StoredBins, edges: Float64Array): Float64Array {
  const levels = stored.format.scheme.levels.filter(({ first, end }) => end - first <= MAX_BINS);
  const { first, end, span } = levels.at(-1) ?? NO_LEVEL;
  const last = sumChunks(stored, end);
  const windowCount = distribute(levels, last);
  reserve(first + windowCount + 1);
  const windows = binBytes.subarray(first, first + windowCount + 1);
  const sums = sumBetween({ windows, shares: binBytes.subarray(levels.at(-2)?.first ?? first, first), span }, edges);
  binBytes.fill(0, 0, first + windowCount);
  return sums;
}

/**
 * Sums the chunks of each bin, and returns the greatest number of one. A measured loop: writers store bins in hash order, so that it must
 * not branch by their size, and signed words take a quarter of the time of unsigned ones.
 */
function sumChunks({ data: { words }, format, binsAt, binCount }: StoredBins, end: number): number {
  const { binHeaderWords } = format;
  const { binLimit } = format.scheme;
  let bytes = binBytes;
  let last = 0;
  for (let bin = 0, at = binsAt; bin < binCount; bin++) {
    let number = (words[at] ?? 0) | 0;
    let chunkAt = at + binHeaderWords;
    at = chunkAt + CHUNK_WORDS * ((words[chunkAt - 1] ?? 0) | 0);
    if (number >= binLimit) continue;
    let low = 0;
    let high = 0;
    let inBlocks = 0;
    for (; chunkAt < at; chunkAt += CHUNK_WORDS) {
      const startLow = (words[chunkAt] ?? 0) | 0;
      const endLow = (words[chunkAt + 2] ?? 0) | 0;
      low = (low + (endLow >>> 16) - (startLow >>> 16)) | 0;
      high = (high + ((words[chunkAt + 3] ?? 0) | 0) - ((words[chunkAt + 1] ?? 0) | 0)) | 0;
      inBlocks = (inBlocks + (endLow & 0xffff) - (startLow & 0xffff)) | 0;
    }
    while (number >= end) number = (number - 1) >>> 3;
    if (number > last) last = number;
    if (number >= bytes.length) bytes = reserve(number + 1);
    bytes[number] = (bytes[number] ?? 0) + Math.max(0, low + 0x10000 * high + COMPRESSION * inBlocks);
  }
  return last;
}

/** Makes `binBytes` at least this long. */
function reserve(length: number): Float64Array<ArrayBuffer> {
  if (length <= binBytes.length) return binBytes;
  const longer = new Float64Array(Math.max(length, 2 * binBytes.length));
  longer.set(binBytes);
  binBytes = longer;
  return longer;
}

/**
 * Distributes the bytes of large bins over those that they contain. Those of eight of the smallest are set to the share of one. Returns the number of the smallest up to the last with bytes. Bins end with the last one of the smallest size that occurs, since
 * large ones are longer than the reference.
 */
function distribute(levels: readonly BinLevel[], last: number): number {
  const { first: firstSmall, span: smallSpan } = levels.at(-1) ?? NO_LEVEL;
  const lastLevel = levels.findLast(({ first }) => first <= last) ?? NO_LEVEL;
  const limit = (lastLevel.span / smallSpan) * (last - lastLevel.first + 1);
  let count = Math.max(0, last - firstSmall + 1);
  for (const { first, end, span } of levels.slice(0, -1)) {
    const length = span / smallSpan;
    for (let number = first; number < Math.min(end, binBytes.length); number++) {
      const bytes = binBytes[number] ?? 0;
      if (bytes === 0) continue;
      const start = length * (number - first);
      const stop = start < limit ? Math.min(start + length, limit) : start + length;
      const share = bytes / (stop - start);
      count = Math.max(count, stop);
      const isShared = length === 8 && stop - start === 8;
      binBytes[number] = isShared ? share : 0;
      if (!isShared) distributeBin(8 * number + 1, share, { start, stop, step: length / 8 });
    }
  }
  return count;
}

function distributeBin(
  firstPart: number,
  share: number,
  { start, stop, step }: { readonly start: number; readonly stop: number; readonly step: number },
): void {
  const bytes = reserve(firstPart + 8);
  for (let part = firstPart, at = start; at < stop; part++, at += step) {
    bytes[part] = (bytes[part] ?? 0) + share * Math.min(step, stop - at);
  }
}

/** Windows of the smallest bins. */
interface Windows {
  /** The bytes of each bin. */
  readonly windows: Float64Array;
  /** By eight windows, what each gets of larger bins. */
  readonly shares: Float64Array;
  readonly span: number;
}

/** Returns the bytes between edges. Those of each window are distributed evenly. */
function sumBetween({ windows, shares, span }: Windows, edges: Float64Array): Float64Array {
  const sums = new Float64Array(edges.length - 1);
  let position = 0;
  let window = 0;
  let before = 0;
  let previous = 0;
  for (let i = 0; i < edges.length; i++) {
    position = Math.min(Math.max(position, (edges[i] ?? 0) / span), windows.length - 1);
    for (; window + 1 <= position; window++) before += (windows[window] ?? 0) + (shares[window >>> 3] ?? 0);
    const sum = before + (position - window) * ((windows[window] ?? 0) + (shares[window >>> 3] ?? 0));
    if (i > 0) sums[i - 1] = sum - previous;
    previous = sum;
  }
  return sums;
}
