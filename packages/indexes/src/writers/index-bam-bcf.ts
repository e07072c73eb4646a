import { bcfLengthKeys, parseBamHeader, parseBcfHeader } from '@htskit/formats';
import { BamHeaderReader, BamRecords, BcfHeaderReader, type BcfLengthKeys, BcfRecords } from '@htskit/formats/internal';
import { checkMinShift, csiDepth, DEFAULT_MIN_SHIFT } from '../binning/binning-scheme.js';
import { BinningIndexBuilder } from './binning-index-builder.js';
import { compressIndex } from './byte-writer.js';
import { indexRecords, type RecordFileFormat } from './index-records.js';
import type { IndexStreamOptions } from './inflated-blocks.js';

/** Options of `indexBam`. */
export interface IndexBamOptions extends IndexStreamOptions {
  /** Default BAI, or CSI if `minShift` is set or a reference is longer than the 2^29 bases that BAI covers. */
  readonly format?: 'BAI' | 'CSI';
  /** CSI only: the smallest bins span 2^minShift bases, from 1 to 30. Default 14. */
  readonly minShift?: number;
}

/** Bases that BAI covers (SAMv1 §5.1.1). */
const BAI_SPAN = 2 ** 29;
/** Limit of the number of references. Each takes about a hundred bytes while the header is read. */
const MAX_REFERENCES = 2_000_000;

/**
 * Indexes a coordinate-sorted BAM file and returns the BAI or CSI file. Uncompressed, it is byte-identical to that of HTSlib
 * 1.16. Throws `IndexError` INVALID_DATA for records that are out of order or beyond the bases that the format covers and
 * INVALID_MAGIC if the file is not BGZF, `FormatError` if it is not BAM or ends within a record, `BgzfError` for a damaged
 * block, and RangeError for an invalid `minShift`.
 *
 * @example
 * writeFileSync('reads.bam.bai', await indexBam(createReadStream('reads.bam')));
 */
export async function indexBam(
  chunks: AsyncIterable<Uint8Array>,
  options: IndexBamOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const { format, minShift } = options;
  if (minShift !== undefined) checkMinShift(minShift);
  const named = format ?? (minShift === undefined ? undefined : 'CSI');
  let isCompressed = false;
  const bytes = await indexRecords(
    chunks,
    bamFormat((longest) => {
      const chosen = named ?? (longest <= BAI_SPAN ? 'BAI' : 'CSI');
      isCompressed = chosen === 'CSI';
      return { format: chosen, minShift };
    }),
    options,
  );
  return isCompressed ? compressIndex(bytes) : bytes;
}

type ChooseFormat = (longestReference: number) => {
  readonly format: 'BAI' | 'CSI';
  readonly minShift: number | undefined;
};

function bamFormat(choose: ChooseFormat): RecordFileFormat {
  let referenceCount = 0;
  return {
    createHeaderReader: () => new BamHeaderReader({ maxReferences: MAX_REFERENCES }),
    createBuilder(header, start) {
      const { references } = parseBamHeader(header, { maxReferences: MAX_REFERENCES });
      const longest = references.reduce((most, { length }) => Math.max(most, length), 0);
      const { format, minShift = DEFAULT_MIN_SHIFT } = choose(longest);
      referenceCount = references.length;
      const depth = format === 'CSI' ? csiDepth(minShift, longest) : undefined;
      return new BinningIndexBuilder({ ...start, format, minShift, depth, referenceCount });
    },
    hasReference: (referenceId) => referenceId < referenceCount,
    openRecords: (data) => new BamRecords(data),
  };
}

/** Options of `indexBcf`. */
export interface IndexBcfOptions extends IndexStreamOptions {
  /** The smallest bins span 2^minShift bases, from 1 to 30. Default 14. */
  readonly minShift?: number;
}

/** The length that HTSlib assumes if no contig of the header has one. */
const LONGEST_UNKNOWN = 2 ** 31 - 1;

/**
 * Indexes a coordinate-sorted BCF file and returns the CSI file. Throws the errors of `indexBam`.
 *
 * @example
 * writeFileSync('calls.bcf.csi', await indexBcf(createReadStream('calls.bcf')));
 */
export async function indexBcf(
  chunks: AsyncIterable<Uint8Array>,
  options: IndexBcfOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const { minShift = DEFAULT_MIN_SHIFT } = options;
  checkMinShift(minShift);
  return compressIndex(await indexRecords(chunks, bcfFormat(minShift), options));
}

function bcfFormat(minShift: number): RecordFileFormat {
  let hasContig = (_referenceId: number): boolean => false;
  let lengthKeys: BcfLengthKeys | undefined;
  return {
    createHeaderReader: () => new BcfHeaderReader(),
    createBuilder(header, start) {
      const { contigs, ...dictionary } = parseBcfHeader(header);
      lengthKeys = bcfLengthKeys(dictionary);
      hasContig = (referenceId) => contigs.has(referenceId);
      let longest = 0;
      for (const { length = 0 } of contigs.values()) longest = Math.max(longest, length);
      const depth = csiDepth(minShift, longest === 0 ? LONGEST_UNKNOWN : longest);
      return new BinningIndexBuilder({ ...start, format: 'CSI', minShift, depth, referenceCount: contigs.size });
    },
    hasReference: (referenceId) => hasContig(referenceId),
    openRecords: (data) => new BcfRecords(data, { lengthKeys }),
  };
}
