import { finishSteps, type Steps, TimeSlice } from '@htskit/io/internal';
import { IndexError } from '../index-error.js';
import { decompressIndex, type ParseIndexOptions } from '../read-index.js';
import { type BinningIndex, WordsBinningIndex } from './binning-index.js';
import { type BinningScheme, createBinningScheme, MAX_LEVELS, UCSC_SCHEME } from './binning-scheme.js';
import { linearLowerBound, loffsetLowerBound } from './lower-bound.js';
import { type BinningFormat, readReferenceTable, readUnplacedCount } from './reference-table.js';
import { type ParsedTabixHeader, readTabixHeader, TABIX_FIELDS_BYTES } from './tabix-header.js';
import { BAI_MAGIC, CSI_MAGIC, checkMagic, hasMagic, IndexWords, MAGIC_BYTES, TBI_MAGIC, WordCursor } from './words.js';

const READERS = [
  [BAI_MAGIC, readBai],
  [CSI_MAGIC, readCsi],
  [TBI_MAGIC, readTbi],
] as const;

/**
 * Parses a BAI, CSI or TBI index, compressed or not, according to its magic. Throws the `IndexError` of the format's parser,
 * or INVALID_MAGIC for any other format.
 *
 * @example
 * const index = parseBinningIndex(readFileSync('reads.bam.bai'));
 * const chunks = index.chunks({ referenceId: 0, start: 10_000, end: 20_000 });
 */
export function parseBinningIndex(bytes: Uint8Array, options: ParseIndexOptions = {}): BinningIndex {
  return finishSteps(readAny(decompressIndex(bytes, options)));
}

/**
 * Parses an index like `parseBinningIndex`, and finds what `lastPlacedEnd` and `splitAt` need, in steps of about a millisecond
 * between which the event loop handles other events. To decompress the index is one step.
 */
export async function parseBinningIndexInSteps(
  bytes: Uint8Array,
  options: ParseIndexOptions = {},
): Promise<BinningIndex> {
  const slice = new TimeSlice();
  await slice.yieldToEventLoop();
  const index = await slice.run(readAny(decompressIndex(bytes, options)));
  await slice.run(index.prepare());
  return index;
}

function readAny(content: Uint8Array): Steps<WordsBinningIndex> {
  for (const [magic, read] of READERS) if (hasMagic(content, magic)) return read(content);
  throw new IndexError('INVALID_MAGIC', 'not a BAI, CSI or TBI index', { offset: 0 });
}

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
  return finishSteps(readBai(content));
}

function* readBai(content: Uint8Array): Steps<WordsBinningIndex> {
  const data = new IndexWords(content, MAGIC_BYTES);
  const cursor = new WordCursor(data);
  const references = yield* readReferenceTable(cursor, BAI_FORMAT, cursor.next());
  return new WordsBinningIndex({
    data,
    format: BAI_FORMAT,
    references,
    lowerBound: linearLowerBound,
    unplacedCount: readUnplacedCount(cursor, content.length),
  });
}

/** Bytes of the magic, min_shift, depth and l_aux. */
const AUXILIARY_START = 16;
/** Positions are signed 64-bit numbers. */
const MAX_POSITION_BITS = 63;

/**
 * Parses a CSI index (CSIv1), compressed or not, in one pass that reads only counts and bin numbers. The index may keep
 * `bytes`, which must not be changed afterwards. Throws `IndexError` INVALID_MAGIC, TRUNCATED, LIMIT_EXCEEDED, or
 * INVALID_DATA for an impossible scheme, a bin number outside of it, a malformed pseudo-bin, trailing bytes, or corrupt
 * compression.
 *
 * @example
 * const index = parseCsi(readFileSync('calls.bcf.csi'));
 */
export function parseCsi(bytes: Uint8Array, options: ParseIndexOptions = {}): BinningIndex {
  const content = decompressIndex(bytes, options);
  checkMagic(content, CSI_MAGIC);
  return finishSteps(readCsi(content));
}

function* readCsi(content: Uint8Array): Steps<WordsBinningIndex> {
  const { scheme, auxiliaryData } = parseCsiHeader(content);
  const format: BinningFormat = { name: 'CSI', scheme, binHeaderWords: 4, hasLinearIndex: false };
  const data = new IndexWords(content, AUXILIARY_START + auxiliaryData.length);
  const cursor = new WordCursor(data);
  return new WordsBinningIndex({
    data,
    format,
    references: yield* readReferenceTable(cursor, format, cursor.next()),
    lowerBound: loffsetLowerBound(scheme.levels),
    unplacedCount: readUnplacedCount(cursor, content.length),
    tabix: yield* findTabixHeader(auxiliaryData),
    // A view would keep the original bytes alive even if the words are a copy.
    auxiliaryData: new Uint8Array(auxiliaryData),
  });
}

function parseCsiHeader(bytes: Uint8Array): { scheme: BinningScheme; auxiliaryData: Uint8Array } {
  if (bytes.length < AUXILIARY_START) {
    throw new IndexError('TRUNCATED', `expected ${AUXILIARY_START} bytes, ${bytes.length} left`, { offset: 0 });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const minShift = view.getInt32(4, true);
  const depth = view.getInt32(8, true);
  if (minShift < 0 || depth < 0 || depth >= MAX_LEVELS || minShift + 3 * depth > MAX_POSITION_BITS) {
    throw new IndexError('INVALID_DATA', `invalid binning scheme: min_shift ${minShift}, depth ${depth}`, {
      offset: 4,
    });
  }
  const length = view.getUint32(12, true);
  const left = bytes.length - AUXILIARY_START;
  if (length > left) throw new IndexError('TRUNCATED', `expected ${length} bytes, ${left} left`, { offset: 12 });
  const auxiliaryData = bytes.subarray(AUXILIARY_START, AUXILIARY_START + length);
  return { scheme: createBinningScheme({ minShift, depth }), auxiliaryData };
}

/** CSIv1 does not define the auxiliary data. In the index of a text file it is the header of a TBI from `format` on. */
function* findTabixHeader(auxiliaryData: Uint8Array): Steps<ParsedTabixHeader | undefined> {
  if (auxiliaryData.length < TABIX_FIELDS_BYTES) return undefined;
  try {
    const parsed = yield* readTabixHeader(auxiliaryData, 0);
    return parsed.byteLength === auxiliaryData.length ? parsed : undefined;
  } catch (error) {
    if (error instanceof IndexError && error.code !== 'LIMIT_EXCEEDED') return undefined;
    throw error;
  }
}

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
  return finishSteps(readTbi(content));
}

function* readTbi(content: Uint8Array): Steps<WordsBinningIndex> {
  const referenceCount = new WordCursor(new IndexWords(content.subarray(0, HEADER_START), MAGIC_BYTES)).next();
  const tabix = yield* readTabixHeader(content, HEADER_START);
  const data = new IndexWords(content, HEADER_START + tabix.byteLength);
  const cursor = new WordCursor(data);
  const references = yield* readReferenceTable(cursor, TBI_FORMAT, referenceCount);
  if (tabix.referenceIds.size < referenceCount) {
    const message = `${referenceCount} references have ${tabix.referenceIds.size} names`;
    throw new IndexError('INVALID_DATA', message, { offset: MAGIC_BYTES });
  }
  return new WordsBinningIndex({
    data,
    format: TBI_FORMAT,
    references,
    lowerBound: linearLowerBound,
    unplacedCount: readUnplacedCount(cursor, content.length),
    tabix,
  });
}
