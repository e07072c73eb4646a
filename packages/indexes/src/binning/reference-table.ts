import { IndexError } from '../index-error.js';
import type { BinningScheme } from './binning-scheme.js';
import { PSEUDO_BIN_CHUNKS, pseudoBinStatistics } from './pseudo-bin.js';
import { type IndexWords, invalidAt, NOWHERE, type WordCursor, wordAt } from './words.js';

/** Words of one chunk: the virtual offsets of its start and its end. */
export const CHUNK_WORDS = 4;

/** References that are read: each takes five words, more than its own bytes where it is empty. */
const MAX_REFERENCES = 2 ** 24;

/** How a binning index writes its references. */
export interface BinningFormat {
  readonly name: 'BAI' | 'CSI' | 'TBI';
  readonly scheme: BinningScheme;
  /**
   * Words in front of a bin's chunks: its number, in a CSI the two of its loffset, and the count of its chunks.
   */
  readonly binHeaderWords: number;
  readonly hasLinearIndex: boolean;
}

/** Where the parts of the references stand in the index. Each array has one entry per reference, in words. */
export interface ReferenceTable {
  readonly count: number;
  /** The first bin, and how many there are with the pseudo-bin. */
  readonly binsAt: Uint32Array;
  readonly binCounts: Uint32Array;
  /** The chunks of the pseudo-bin, or NOWHERE. */
  readonly pseudoBinsAt: Uint32Array;
  /** The first entry of the linear index, and how many there are. */
  readonly windowsAt: Uint32Array;
  readonly windowCounts: Uint32Array;
}

/**
 * Finds the parts of `count` references, in one pass that reads counts and bin numbers and steps over the rest. The cursor
 * stands behind n_ref. Throws `IndexError` if a count reaches beyond the end or a bin number is not of the scheme.
 */
export function readReferenceTable(cursor: WordCursor, format: BinningFormat, count: number): ReferenceTable {
  // n_bin, and n_intv of a linear index, stand even where a reference is empty.
  if (count * (format.hasLinearIndex ? 2 : 1) > cursor.remaining) {
    const message = `the index is too short for ${count} references`;
    throw new IndexError('TRUNCATED', message, { offset: cursor.byteOffset });
  }
  if (count > MAX_REFERENCES) {
    const message = `the index has ${count} references, more than ${MAX_REFERENCES}`;
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
  for (let referenceId = 0; referenceId < count; referenceId++) {
    const binCount = cursor.next();
    table.binCounts[referenceId] = binCount;
    table.binsAt[referenceId] = cursor.at;
    table.pseudoBinsAt[referenceId] = skipBins(cursor, format, binCount);
    if (!format.hasLinearIndex) continue;
    const windowCount = cursor.next();
    table.windowCounts[referenceId] = windowCount;
    table.windowsAt[referenceId] = cursor.skip(2 * windowCount);
  }
  return table;
}

/**
 * Steps over the bins of a reference and returns where the chunks of its pseudo-bin stand, or NOWHERE. A measured loop:
 * it does without the cursor, which makes opening a whole index a third faster.
 */
function skipBins(cursor: WordCursor, { scheme, binHeaderWords }: BinningFormat, binCount: number): number {
  const { data } = cursor;
  const { words } = data;
  const { binLimit } = scheme;
  let pseudoBinAt = NOWHERE;
  let { at } = cursor;
  for (let bin = 0; bin < binCount; bin++) {
    const chunksAt = at + binHeaderWords;
    const next = chunksAt + CHUNK_WORDS * wordAt(words, chunksAt - 1);
    if (next > words.length) {
      cursor.at = at;
      cursor.skip(next - at);
    }
    if (wordAt(words, at) >= binLimit) {
      checkPseudoBin(data, scheme, {
        at,
        chunkCount: (next - chunksAt) / CHUNK_WORDS,
        isFirst: pseudoBinAt === NOWHERE,
      });
      pseudoBinAt = chunksAt;
      pseudoBinStatistics(data, chunksAt);
    }
    at = next;
  }
  cursor.at = at;
  return pseudoBinAt;
}

interface PseudoBin {
  readonly at: number;
  readonly chunkCount: number;
  readonly isFirst: boolean;
}

function checkPseudoBin(data: IndexWords, { pseudoBin }: BinningScheme, { at, chunkCount, isFirst }: PseudoBin): void {
  const number = wordAt(data.words, at);
  if (number !== pseudoBin) throw invalidAt(data, at, `there is no bin ${number}`);
  if (chunkCount !== PSEUDO_BIN_CHUNKS || !isFirst) {
    throw invalidAt(data, at, 'a reference has at most one pseudo-bin, and that has two chunks');
  }
}
