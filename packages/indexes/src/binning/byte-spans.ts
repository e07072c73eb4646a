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
 * reference: they are visited last, when that is known, so that one pass over the index suffices.
 */
export function visitBinBytes({ data, format, binsAt, binCount }: StoredBins, visit: ByteSpanVisitor): void {
  const { words } = data;
  const { binLimit, levels } = format.scheme;
  const { binHeaderWords } = format;
  const smallest = levels.at(-1) ?? NO_LEVEL;
  const { first: firstSmall, span: smallSpan } = smallest;
  const larger: LargerBin[] = [];
  // Smaller bins have larger numbers.
  let last = 0;
  for (let bin = 0, at = binsAt; bin < binCount; bin++) {
    const number = wordAt(words, at);
    const chunksAt = at + binHeaderWords;
    at = chunksEnd(words, chunksAt);
    if (number >= binLimit) continue;
    if (number > last) last = number;
    const bytes = chunkBytes(words, chunksAt, at);
    if (bytes <= 0) continue;
    if (number < firstSmall) {
      larger.push({ number, bytes });
      continue;
    }
    const start = smallSpan * (number - firstSmall);
    visit(start, start + smallSpan, bytes);
  }
  const { first, span } = levelOf(levels, last);
  const limit = span * (last - first + 1);
  for (const { number, bytes } of larger) {
    const level = levelOf(levels, number);
    const start = level.span * (number - level.first);
    visit(start, start < limit ? Math.min(start + level.span, limit) : start + level.span, bytes);
  }
}

/** A bin that is not of the smallest size. */
interface LargerBin {
  readonly number: number;
  readonly bytes: number;
}

const NO_LEVEL: BinLevel = { first: 0, end: 0, span: 0 };

/** Returns about how many bytes chunks take. Words are read as signed integers, which take a quarter of the time of unsigned ones. */
function chunkBytes(words: Uint32Array, chunksAt: number, end: number): number {
  let stored = 0;
  let inBlocks = 0;
  for (let at = chunksAt; at < end; at += CHUNK_WORDS) {
    const low = (words[at] ?? 0) | 0;
    const high = (words[at + 1] ?? 0) | 0;
    const endLow = (words[at + 2] ?? 0) | 0;
    const endHigh = (words[at + 3] ?? 0) | 0;
    stored += (endLow >>> 16) - (low >>> 16);
    if (endHigh !== high) stored += (endHigh - high) * 0x10000;
    inBlocks += (endLow & 0xffff) - (low & 0xffff);
  }
  return stored + COMPRESSION * inBlocks;
}

/** Returns the level of a bin. */
function levelOf(levels: readonly BinLevel[], number: number): BinLevel {
  for (let i = levels.length - 1; i >= 0; i--) {
    const level = levels[i];
    if (level !== undefined && number >= level.first) return level;
  }
  return NO_LEVEL;
}
