import { type BinningIndex, WordsBinningIndex } from './binning/binning-index.js';
import { UCSC_SCHEME } from './binning/binning-scheme.js';
import { linearLowerBound } from './binning/linear-index.js';
import { type BinningFormat, readReferenceTable } from './binning/reference-table.js';
import { readUnplacedCount } from './binning/unplaced-count.js';
import { toWords, WordCursor } from './binning/words.js';
import { type IndexBytesOptions, indexBytes } from './index-bytes.js';
import { BAI_MAGIC, checkMagic, MAGIC_BYTES } from './magic.js';

const BAI_FORMAT: BinningFormat = { name: 'BAI', scheme: UCSC_SCHEME, binHeaderWords: 2, hasLinearIndex: true };

/**
 * Opens a BAI index (SAMv1 §5.2) in one pass that touches counts only. The index keeps `bytes`, which must not change
 * any more. Throws `IndexError` INVALID_MAGIC, TRUNCATED, or INVALID_DATA for a bin that does not exist, a pseudo-bin
 * out of form, and bytes behind the end. Offsets in errors count uncompressed bytes, should the index be compressed.
 */
export function parseBai(bytes: Uint8Array, options: IndexBytesOptions = {}): BinningIndex {
  const content = indexBytes(bytes, options);
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
