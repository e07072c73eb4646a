import { type BinningIndex, WordsBinningIndex } from './binning/binning-index.js';
import { UCSC_SCHEME } from './binning/binning-scheme.js';
import { linearLowerBound } from './binning/linear-index.js';
import { type BinningFormat, readReferenceTable } from './binning/reference-table.js';
import { countAt, invalidAt, toWords, WORD_BYTES, WordCursor } from './binning/words.js';
import { IndexError } from './index-error.js';

/** "BAI\1", little-endian. */
const MAGIC = 0x01494142;
const COUNT_WORDS = 2;
const BAI_FORMAT: BinningFormat = { scheme: UCSC_SCHEME, binHeaderWords: 2, hasLinearIndex: true };

/**
 * Opens a BAI index (SAMv1 §5.2) in one pass that touches counts only. The index keeps `bytes`, which must not change
 * any more. Throws `IndexError` INVALID_MAGIC, TRUNCATED, or INVALID_DATA for a bin that does not exist, a pseudo-bin
 * out of form, and bytes behind the end.
 */
export function parseBai(bytes: Uint8Array): BinningIndex {
  const words = toWords(bytes);
  const cursor = new WordCursor(words);
  if (words.length > 0 && words[0] !== MAGIC) {
    throw new IndexError('INVALID_MAGIC', 'a BAI index begins with "BAI\\1"', { offset: 0 });
  }
  cursor.skip(1);
  const references = readReferenceTable(cursor, BAI_FORMAT);
  return new WordsBinningIndex({
    words,
    format: BAI_FORMAT,
    references,
    lowerBound: linearLowerBound(words, references),
    noCoordinateCount: readNoCoordinateCount(cursor, bytes.length),
  });
}

/** n_no_coor ends the index; older writers left it out. */
function readNoCoordinateCount(cursor: WordCursor, byteLength: number): number | undefined {
  const { at, words } = cursor;
  const bytesLeft = byteLength - at * WORD_BYTES;
  if (bytesLeft === 0) return undefined;
  cursor.skip(COUNT_WORDS);
  if (bytesLeft > COUNT_WORDS * WORD_BYTES) throw invalidAt(cursor.at, 'bytes stand behind the end of the index');
  return countAt(words, at);
}
