import type { BinLevel } from './binning-scheme.js';
import { chunksEnd, type StoredBins } from './reference-bins.js';
import { CHUNK_WORDS } from './reference-table.js';
import { wordAt } from './words.js';

/** Receives about how many bytes of the compressed file are taken by records within bases [start, end): not an integer. */
export type ByteSpanVisitor = (start: number, end: number, bytes: number) => void;

/** Compressed bytes per byte of data, by which a part of a block counts: about a quarter for reads and variants. */
const COMPRESSION = 0.25;

/**
 * Visits the bins of a reference, whose bytes are those of their chunks. The linear index is not used: one long record makes all windows
 * that it overlaps begin with it. Bins end with the last one of the smallest size that occurs, since large ones are longer than the
 * reference.
 */
export function visitBinBytes(stored: StoredBins, visit: ByteSpanVisitor): void {
  const { data, format, binsAt, binCount } = stored;
  const { words } = data;
  const { binLimit, levels } = format.scheme;
  const { binHeaderWords } = format;
  const limit = endOfSmallBins(stored);
  // Most bins are as small as the one before.
  let { first, end, span } = levels.at(-1) ?? NO_LEVEL;
  for (let bin = 0, at = binsAt; bin < binCount; bin++) {
    const number = wordAt(words, at);
    const chunksAt = at + binHeaderWords;
    at = chunksEnd(words, chunksAt);
    if (number >= binLimit) continue;
    if (number < first || number >= end) ({ first, end, span } = levelOf(levels, number));
    let bytes = 0;
    for (let chunkAt = chunksAt; chunkAt < at; chunkAt += CHUNK_WORDS) {
      const [low, endLow] = [wordAt(words, chunkAt) | 0, wordAt(words, chunkAt + 2) | 0];
      bytes += ((wordAt(words, chunkAt + 3) | 0) - (wordAt(words, chunkAt + 1) | 0)) * 0x10000;
      bytes += (endLow >>> 16) - (low >>> 16) + COMPRESSION * ((endLow & 0xffff) - (low & 0xffff));
    }
    const start = span * (number - first);
    if (bytes > 0) visit(start, start < limit ? Math.min(start + span, limit) : start + span, bytes);
  }
}

const NO_LEVEL: BinLevel = { first: 0, end: 0, span: 0 };

/** Returns the end of the last bin of the smallest size that occurs. */
function endOfSmallBins({ data, format, binsAt, binCount }: StoredBins): number {
  const { words } = data;
  const { binLimit, levels } = format.scheme;
  // Smaller bins have larger numbers.
  let last = 0;
  for (let bin = 0, at = binsAt; bin < binCount; bin++) {
    const number = wordAt(words, at);
    if (number > last && number < binLimit) last = number;
    at = chunksEnd(words, at + format.binHeaderWords);
  }
  const { first, span } = levelOf(levels, last);
  return span * (last - first + 1);
}

/** Returns the level of a bin. */
function levelOf(levels: readonly BinLevel[], number: number): BinLevel {
  for (let i = levels.length - 1; i >= 0; i--) {
    const level = levels[i];
    if (level !== undefined && number >= level.first) return level;
  }
  return NO_LEVEL;
}
