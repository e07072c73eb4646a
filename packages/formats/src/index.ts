export { type BamInterval, BamRecordFilter } from './bam/filter.js';
export { type BamHeader, type BamReference, bamHeaderLength, parseBamHeader } from './bam/header.js';
export { type BamRecordSpan, BamRecords, bamRecordLength, parseBamRecordSpan } from './bam/record.js';
export { MAX_RECORD_LENGTH } from './bam/record-fields.js';
export { BamRecordRewriter } from './bam/rewriter.js';
export { type BamField, type BamSelection, keepsWholeBamRecords } from './bam/selection.js';
export type { BaseInterval } from './base-intervals.js';
export { type BcfInterval, BcfRecordFilter } from './bcf/filter.js';
export { type BcfContig, type BcfHeader, bcfHeaderLength, parseBcfHeader } from './bcf/header.js';
export { type BcfRecordSpan, BcfRecords, bcfRecordLength, parseBcfRecordSpan } from './bcf/record.js';
export { BcfRecordRewriter } from './bcf/rewriter.js';
export {
  type CramContainerHeader,
  type CramParseOptions,
  isCramEofContainer,
  parseCramContainerHeader,
} from './cram/container-header.js';
export { CramDecodeBudget } from './cram/decode-budget.js';
export { cramEofContainer } from './cram/eof-container.js';
export {
  CRAM_FILE_DEFINITION_LENGTH,
  type CramFileDefinition,
  type CramVersion,
  parseCramFileDefinition,
} from './cram/file-definition.js';
export { type CramHeader, type CramReference, cramHeaderLength, parseCramHeader } from './cram/header.js';
export { type CramContainerSource, type CramSliceSpan, parseCramSliceSpans } from './cram/slice-spans.js';
export { type FastaHandler, FastaParser } from './fasta.js';
export { FormatError, type FormatErrorCode } from './format-error.js';
export type { RecordFilter } from './record-filter.js';
export { type KeySelection, keepsAllKeys, type RecordRewriter } from './record-rewriter.js';
export { relocateError } from './relocate-error.js';
export { twoBitByteRange, unpackTwoBit } from './two-bit/bases.js';
export { parseTwoBitHeader, TWO_BIT_HEADER_LENGTH, type TwoBitHeader } from './two-bit/header.js';
export {
  parseTwoBitRecord,
  TWO_BIT_RECORD_START_LENGTH,
  type TwoBitRecord,
  type TwoBitRecordOptions,
  twoBitRecordLength,
} from './two-bit/record.js';
export { parseTwoBitIndex, type TwoBitIndexEntry, twoBitIndexBounds } from './two-bit/sequence-index.js';
export { parseContigLine, type VcfContig } from './vcf/contig-line.js';
export { type VcfInterval, VcfRecordFilter } from './vcf/filter.js';
export { parseVcfHeader, type VcfHeader, vcfHeaderLength } from './vcf/header.js';
export { parseVcfRecordSpan, type VcfRecordSpan } from './vcf/record.js';
export { VcfRecordRewriter } from './vcf/rewriter.js';
