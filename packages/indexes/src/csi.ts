import { type BinningIndex, WordsBinningIndex } from './binning/binning-index.js';
import { type BinningScheme, createBinningScheme } from './binning/binning-scheme.js';
import { loffsetLowerBound } from './binning/loffset.js';
import { type BinningFormat, readReferenceTable } from './binning/reference-table.js';
import { parseTabixHeader, TABIX_FIELDS_BYTES, type TabixHeader } from './binning/tabix-header.js';
import { readUnplacedCount } from './binning/unplaced-count.js';
import { toWords, WordCursor } from './binning/words.js';
import { type IndexBytesOptions, indexBytes } from './index-bytes.js';
import { IndexError } from './index-error.js';
import { CSI_MAGIC, checkMagic } from './magic.js';

/** Bytes of magic, min_shift, depth and l_aux. */
const AUXILIARY_START = 16;
/** One level more has more bins than a 32-bit number can name. */
const MAX_DEPTH = 10;
/** Positions are signed 64-bit numbers. */
const MAX_POSITION_BITS = 63;

/**
 * Opens a CSI index (CSIv1), compressed or not, in one pass that touches counts only. The index may keep `bytes`, which
 * must not change any more. Throws `IndexError` INVALID_MAGIC, TRUNCATED, LIMIT_EXCEEDED, or INVALID_DATA for a scheme
 * that cannot be, a bin that does not exist, a pseudo-bin out of form, bytes behind the end, and compression that is
 * corrupt. Offsets in errors count uncompressed bytes.
 */
export function parseCsi(bytes: Uint8Array, options: IndexBytesOptions = {}): BinningIndex {
  const content = indexBytes(bytes, options);
  checkMagic(content, CSI_MAGIC);
  const { scheme, auxiliaryData } = parseCsiHeader(content);
  const format: BinningFormat = { name: 'CSI', scheme, binHeaderWords: 4, hasLinearIndex: false };
  const data = toWords(content, AUXILIARY_START + auxiliaryData.length);
  const cursor = new WordCursor(data);
  return new WordsBinningIndex({
    data,
    format,
    references: readReferenceTable(cursor, format, cursor.next()),
    lowerBound: loffsetLowerBound(scheme.levels),
    unplacedCount: readUnplacedCount(cursor, content.length),
    tabix: findTabixHeader(auxiliaryData),
    // Not a view: where the words are a copy, that would keep the original alive.
    auxiliaryData: new Uint8Array(auxiliaryData),
  });
}

function parseCsiHeader(bytes: Uint8Array): { scheme: BinningScheme; auxiliaryData: Uint8Array } {
  if (bytes.length < AUXILIARY_START) {
    throw new IndexError('TRUNCATED', `${AUXILIARY_START} bytes expected, ${bytes.length} left`, { offset: 0 });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const minShift = view.getInt32(4, true);
  const depth = view.getInt32(8, true);
  if (minShift < 0 || depth < 0 || depth > MAX_DEPTH || minShift + 3 * depth > MAX_POSITION_BITS) {
    throw new IndexError('INVALID_DATA', `no scheme has min_shift ${minShift} and depth ${depth}`, { offset: 4 });
  }
  const length = view.getUint32(12, true);
  const left = bytes.length - AUXILIARY_START;
  if (length > left) throw new IndexError('TRUNCATED', `${length} bytes expected, ${left} left`, { offset: 12 });
  const auxiliaryData = bytes.subarray(AUXILIARY_START, AUXILIARY_START + length);
  return { scheme: createBinningScheme({ minShift, depth }), auxiliaryData };
}

/** What is in the auxiliary data is left to the writer: for text files it is the header of a TBI from `format` on. */
function findTabixHeader(auxiliaryData: Uint8Array): TabixHeader | undefined {
  if (auxiliaryData.length < TABIX_FIELDS_BYTES) return undefined;
  try {
    const { header, byteLength } = parseTabixHeader(auxiliaryData, 0);
    return byteLength === auxiliaryData.length ? header : undefined;
  } catch (error) {
    if (error instanceof IndexError && error.code !== 'LIMIT_EXCEEDED') return undefined;
    throw error;
  }
}
