import { decompressIndex, type ParseIndexOptions } from '../read-index.js';
import { type BinningIndex, WordsBinningIndex } from './binning-index.js';
import { UCSC_SCHEME } from './binning-scheme.js';
import { linearLowerBound } from './lower-bound.js';
import { type BinningFormat, readReferenceTable, readUnplacedCount } from './reference-table.js';
import { BAI_MAGIC, checkMagic, MAGIC_BYTES, toWords, WordCursor } from './words.js';

const BAI_FORMAT: BinningFormat = { name: 'BAI', scheme: UCSC_SCHEME, binHeaderWords: 2, hasLinearIndex: true };

/**
 * Parses a BAI index (SAMv1 §5.2), compressed or not, in one pass that reads only counts and bin numbers. The index keeps
 * `bytes`, which must not be changed afterwards. Throws `IndexError` INVALID_MAGIC, TRUNCATED, LIMIT_EXCEEDED, or
 * INVALID_DATA for a bin number outside of the scheme, a malformed pseudo-bin, or trailing bytes.
 *
 * @example
 * const index = parseBai(readFileSync('reads.bam.bai'));
 */
export function parseBai(bytes: Uint8Array, options: ParseIndexOptions = {}): BinningIndex {
  const content = decompressIndex(bytes, options);
  checkMagic(content, BAI_MAGIC);
  const data = toWords(content, MAGIC_BYTES);
  const cursor = new WordCursor(data);
  const references = readReferenceTable(cursor, BAI_FORMAT, cursor.next());
  return new WordsBinningIndex({
    data,
    format: BAI_FORMAT,
    references,
    lowerBound: linearLowerBound,
    unplacedCount: readUnplacedCount(cursor, content.length),
  });
}
