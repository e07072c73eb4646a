import { bamHeaderLength, parseBamHeader } from '@htskit/formats';
import { BamRecords } from '@htskit/formats/internal';
import { BinningIndexBuilder } from './binning-index-builder.js';
import { compressIndex } from './compress-index.js';
import { checkMinShift, csiDepth, DEFAULT_MIN_SHIFT } from './csi-depth.js';
import { indexRecords, type RecordFormat } from './index-records.js';
import type { IndexStreamOptions } from './inflated-blocks.js';

export interface IndexBamOptions extends IndexStreamOptions {
  /** Default BAI where it can hold every reference of the header, which is up to 2^29 bases, and no `minShift` is given. */
  readonly format?: 'BAI' | 'CSI' | undefined;
  /** Of CSI: the smallest bins span 2^minShift bases, 1 to 30. Default 14. */
  readonly minShift?: number | undefined;
}

/** Bases that BAI can hold (SAMv1 §5.1.1). */
const BAI_SPAN = 2 ** 29;
/** Each reference takes some hundred bytes while the header is read. */
const MAX_REFERENCES = 2_000_000;

/**
 * The index of a BAM file that is sorted by position: a BAI or CSI file, uncompressed the same bytes as HTSlib 1.16 writes.
 * Throws `IndexError` INVALID_DATA for records out of order or beyond what the format holds, INVALID_MAGIC for a file that is
 * not BGZF, `FormatError` for one that is no BAM or ends in a record, BgzfError, and RangeError for a `minShift` that is none.
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

function bamFormat(choose: ChooseFormat): RecordFormat {
  let referenceCount = 0;
  return {
    headerLength: bamHeaderLength,
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
