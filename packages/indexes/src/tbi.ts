import { type BinningIndex, WordsBinningIndex } from './binning/binning-index.js';
import { UCSC_SCHEME } from './binning/binning-scheme.js';
import { linearLowerBound } from './binning/linear-index.js';
import { type BinningFormat, readReferenceTable } from './binning/reference-table.js';
import { parseTabixHeader } from './binning/tabix-header.js';
import { readUnplacedCount } from './binning/unplaced-count.js';
import { toWords, WordCursor } from './binning/words.js';
import { type IndexBytesOptions, indexBytes } from './index-bytes.js';
import { IndexError } from './index-error.js';
import { checkMagic, MAGIC_BYTES, TBI_MAGIC } from './magic.js';

const TBI_FORMAT: BinningFormat = { name: 'TBI', scheme: UCSC_SCHEME, binHeaderWords: 2, hasLinearIndex: true };

/** Bytes of magic and n_ref. */
const HEADER_START = 8;

/**
 * Opens a TBI index (tabix specification), compressed or not, in one pass that touches counts only. Throws `IndexError`
 * as `parseCsi` does; INVALID_DATA also for names that come twice, and for fewer names than references.
 */
export function parseTbi(bytes: Uint8Array, options: IndexBytesOptions = {}): BinningIndex {
  const content = indexBytes(bytes, options);
  checkMagic(content, TBI_MAGIC);
  const referenceCount = new WordCursor(toWords(content.subarray(0, HEADER_START), MAGIC_BYTES)).next();
  const { header, byteLength } = parseTabixHeader(content, HEADER_START);
  const data = toWords(content, HEADER_START + byteLength);
  const cursor = new WordCursor(data);
  const references = readReferenceTable(cursor, TBI_FORMAT, referenceCount);
  if (header.names.length < referenceCount) {
    const message = `${referenceCount} references have ${header.names.length} names`;
    throw new IndexError('INVALID_DATA', message, { offset: MAGIC_BYTES });
  }
  return new WordsBinningIndex({
    data,
    format: TBI_FORMAT,
    references,
    lowerBound: linearLowerBound,
    unplacedCount: readUnplacedCount(cursor, content.length),
    tabix: header,
  });
}
