import { IndexError } from '../index-error.js';
import { decompressIndex, type ParseIndexOptions } from '../read-index.js';
import { type BinningIndex, WordsBinningIndex } from './binning-index.js';
import { UCSC_SCHEME } from './binning-scheme.js';
import { linearLowerBound } from './lower-bound.js';
import { type BinningFormat, readReferenceTable, readUnplacedCount } from './reference-table.js';
import { parseTabixHeader } from './tabix-header.js';
import { checkMagic, MAGIC_BYTES, TBI_MAGIC, toWords, WordCursor } from './words.js';

const TBI_FORMAT: BinningFormat = { name: 'TBI', scheme: UCSC_SCHEME, binHeaderWords: 2, hasLinearIndex: true };

/** Bytes of the magic and n_ref. */
const HEADER_START = 8;

/**
 * Parses a TBI index (tabix specification), compressed or not, in one pass that reads only counts and bin numbers. Throws the
 * errors of `parseCsi`, and `IndexError` INVALID_DATA for duplicate names or fewer names than references.
 *
 * @example
 * const index = parseTbi(readFileSync('calls.vcf.gz.tbi'));
 * const referenceId = index.referenceId('chr1');
 */
export function parseTbi(bytes: Uint8Array, options: ParseIndexOptions = {}): BinningIndex {
  const content = decompressIndex(bytes, options);
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
