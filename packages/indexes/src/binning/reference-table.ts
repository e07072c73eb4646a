import type { Steps } from '@htskit/io/internal';
import { IndexError } from '../index-error.js';
import type { BinningScheme } from './binning-scheme.js';
import {
  countAt,
  type IndexWords,
  invalidAt,
  isZeroPair,
  NOWHERE,
  STEP_WORDS,
  WORD_BYTES,
  type WordCursor,
  wordAt,
} from './words.js';

/** Words of one chunk: the virtual offsets of its start and its end. */
export const CHUNK_WORDS = 4;

/** Limit of the number of references. Each takes five words of memory, more than an empty one takes in the file. */
const MAX_REFERENCES = 2 ** 24;

/** How a format stores references. */
export interface BinningFormat {
  readonly name: 'BAI' | 'CSI' | 'TBI';
  readonly scheme: BinningScheme;
  /** Words of a bin before its chunks: the number, in a CSI the two words of the loffset, and the number of chunks. */
  readonly binHeaderWords: number;
  readonly hasLinearIndex: boolean;
}

/** The positions of the parts of all references, in words. Each array has one entry per reference. */
export interface ReferenceTable {
  readonly count: number;
  /** The position of the first bin, and the number of bins including the pseudo-bin. */
  readonly binsAt: Uint32Array;
  readonly binCounts: Uint32Array;
  /** The position of the pseudo-bin's chunks, or NOWHERE. */
  readonly pseudoBinsAt: Uint32Array;
  /** The position of the linear index, and the number of its windows. */
  readonly windowsAt: Uint32Array;
  readonly windowCounts: Uint32Array;
}

/**
 * Finds the parts of `count` references in one pass that reads counts and bin numbers and skips the rest. The cursor is just
 * after n_ref. Throws `IndexError` if a count extends past the end or a bin number is outside of the scheme.
 */
export function* readReferenceTable(cursor: WordCursor, format: BinningFormat, count: number): Steps<ReferenceTable> {
  // An empty reference still has n_bin and, in formats with a linear index, n_intv.
  if (count * (format.hasLinearIndex ? 2 : 1) > cursor.remaining) {
    const message = `the index is too short for ${count} references`;
    throw new IndexError('TRUNCATED', message, { offset: cursor.byteOffset });
  }
  if (count > MAX_REFERENCES) {
    const message = `the index has ${count} references, more than the limit of ${MAX_REFERENCES}`;
    throw new IndexError('LIMIT_EXCEEDED', message, { offset: cursor.byteOffset });
  }
  const table: ReferenceTable = {
    count,
    binsAt: new Uint32Array(count),
    binCounts: new Uint32Array(count),
    pseudoBinsAt: new Uint32Array(count),
    windowsAt: new Uint32Array(count),
    windowCounts: new Uint32Array(count),
  };
  let stepEnd = STEP_WORDS;
  for (let referenceId = 0; referenceId < count; referenceId++) {
    if (cursor.at >= stepEnd) {
      yield;
      stepEnd = cursor.at + STEP_WORDS;
    }
    const binCount = cursor.next();
    table.binCounts[referenceId] = binCount;
    table.binsAt[referenceId] = cursor.at;
    const bins: UnreadBins = { count: binCount, pseudoBinAt: NOWHERE };
    for (skipBins(cursor, format, bins); bins.count > 0; skipBins(cursor, format, bins)) yield;
    table.pseudoBinsAt[referenceId] = bins.pseudoBinAt;
    if (!format.hasLinearIndex) continue;
    const windowCount = cursor.next();
    table.windowCounts[referenceId] = windowCount;
    table.windowsAt[referenceId] = cursor.skip(2 * windowCount);
  }
  return table;
}

/** The bins of a reference from the cursor on. */
interface UnreadBins {
  count: number;
  /** The position of the pseudo-bin's chunks, or NOWHERE if it was not among the bins so far. */
  pseudoBinAt: number;
}

/**
 * Skips bins of a reference, at most those of one step. A measured loop: an index of 9 MB takes 0.9 ms, against 1.9 ms if the
 * loop is in a generator.
 */
function skipBins(cursor: WordCursor, { scheme, binHeaderWords }: BinningFormat, bins: UnreadBins): void {
  const { data } = cursor;
  const { words } = data;
  const { binLimit } = scheme;
  const stepEnd = cursor.at + STEP_WORDS;
  let { at } = cursor;
  let left = bins.count;
  for (; left > 0 && at < stepEnd; left--) {
    const chunksAt = at + binHeaderWords;
    const next = chunksAt + CHUNK_WORDS * wordAt(words, chunksAt - 1);
    if (next > words.length) {
      cursor.at = at;
      cursor.skip(next - at);
    }
    if (wordAt(words, at) >= binLimit) {
      const chunkCount = (next - chunksAt) / CHUNK_WORDS;
      checkPseudoBin(data, scheme, { at, chunkCount, isFirst: bins.pseudoBinAt === NOWHERE });
      bins.pseudoBinAt = chunksAt;
      pseudoBinStatistics(data, chunksAt);
    }
    at = next;
  }
  cursor.at = at;
  bins.count = left;
}

interface PseudoBin {
  readonly at: number;
  readonly chunkCount: number;
  readonly isFirst: boolean;
}

function checkPseudoBin(data: IndexWords, { pseudoBin }: BinningScheme, { at, chunkCount, isFirst }: PseudoBin): void {
  const number = wordAt(data.words, at);
  if (number !== pseudoBin) throw invalidAt(data, at, `bin number ${number} is outside of the binning scheme`);
  if (chunkCount !== PSEUDO_BIN_CHUNKS || !isFirst) {
    throw invalidAt(data, at, 'expected at most one pseudo-bin with two chunks per reference');
  }
}

/** Chunks of a pseudo-bin. */
const PSEUDO_BIN_CHUNKS = 2;
// The pseudo-bin (SAMv1 §5.2) has the form of two chunks: the virtual offsets between which the records of the reference
// lie, then the numbers of mapped and unmapped records. These are the words of the counts.
const MAPPED = 4;
const UNMAPPED = 6;

/** Numbers of records that are placed on a reference. */
export interface ReferenceStatistics {
  readonly mapped: number;
  readonly unmapped: number;
}

/** Reads the counts of the pseudo-bin whose chunks begin at `at`. Throws `IndexError` INVALID_DATA above 2^53 - 1. */
export function pseudoBinStatistics(data: IndexWords, at: number): ReferenceStatistics {
  return { mapped: countAt(data, at + MAPPED), unmapped: countAt(data, at + UNMAPPED) };
}

/** Whether a reference may have placed unmapped records: unless its pseudo-bin at `at` counts none. */
export function mayHaveUnmapped(words: Uint32Array, at: number): boolean {
  return at === NOWHERE || !isZeroPair(words, at + UNMAPPED);
}

const COUNT_WORDS = 2;

/**
 * Reads n_no_coor, with which an index of `byteLength` bytes ends, or returns undefined if an older writer omitted it. Throws
 * `IndexError` INVALID_DATA if bytes follow it.
 */
export function readUnplacedCount(cursor: WordCursor, byteLength: number): number | undefined {
  const bytesLeft = byteLength - cursor.byteOffset;
  if (bytesLeft === 0) return undefined;
  const at = cursor.skip(COUNT_WORDS);
  if (bytesLeft > COUNT_WORDS * WORD_BYTES) {
    throw new IndexError('INVALID_DATA', 'unexpected bytes after the end of the index', { offset: cursor.byteOffset });
  }
  return countAt(cursor.data, at);
}
