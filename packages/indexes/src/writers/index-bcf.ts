import { bcfHeaderLength, parseBcfHeader } from '@htskit/formats';
import { BcfRecords } from '@htskit/formats/internal';
import { BinningIndexBuilder } from './binning-index-builder.js';
import { compressIndex } from './byte-writer.js';
import { checkMinShift, csiDepth, DEFAULT_MIN_SHIFT } from './csi-depth.js';
import { indexRecords, type RecordFileFormat } from './index-records.js';
import type { IndexStreamOptions } from './inflated-blocks.js';

/** Options of `indexBcf`. */
export interface IndexBcfOptions extends IndexStreamOptions {
  /** The smallest bins span 2^minShift bases, from 1 to 30. Default 14. */
  readonly minShift?: number | undefined;
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
  return {
    headerLength: bcfHeaderLength,
    createBuilder(header, start) {
      const { contigs } = parseBcfHeader(header);
      hasContig = (referenceId) => contigs.has(referenceId);
      let longest = 0;
      for (const { length = 0 } of contigs.values()) longest = Math.max(longest, length);
      const depth = csiDepth(minShift, longest === 0 ? LONGEST_UNKNOWN : longest);
      return new BinningIndexBuilder({ ...start, format: 'CSI', minShift, depth, referenceCount: contigs.size });
    },
    hasReference: (referenceId) => hasContig(referenceId),
    openRecords: (data) => new BcfRecords(data),
  };
}
