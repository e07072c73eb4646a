export { type BamInterval, createBamFilter } from './bam/filter.js';
export {
  type BamHeader,
  type BamHeaderLimits,
  BamHeaderReader,
  type BamReference,
  bamHeaderLength,
  parseBamHeader,
} from './bam/header.js';
export { type BamRecordSpan, bamRecordLength, parseBamRecordSpan } from './bam/record.js';
export { createBamRewriter } from './bam/rewriter.js';
export { type BamField, type BamSelection, keepsWholeBamRecords } from './bam/selection.js';
export { type BcfContig, type BcfHeader, bcfHeaderLength, parseBcfHeader } from './bcf/header.js';
export {
  type BcfInterval,
  type BcfRecordSpan,
  bcfRecordLength,
  createBcfFilter,
  parseBcfRecordSpan,
} from './bcf/record.js';
export { createBcfRewriter } from './bcf/rewriter.js';
export {
  type CramContainerHeader,
  type CramParseOptions,
  cramEofContainer,
  isCramEofContainer,
  parseCramContainerHeader,
} from './cram/container/container-header.js';
export {
  CRAM_FILE_DEFINITION_LENGTH,
  type CramFileDefinition,
  type CramVersion,
  parseCramFileDefinition,
} from './cram/container/file-definition.js';
export {
  type CramHeader,
  type CramReference,
  cramHeaderLength,
  parseCramHeader,
} from './cram/container/file-header.js';
export { type CramContainerSource, type CramSliceSpan, parseCramSliceSpans } from './cram/slice/slice-spans.js';
export { type FastaHandler, FastaParser } from './fasta/fasta-parser.js';
export { FormatError, type FormatErrorCode } from './format-error.js';
export { type KeySelection, keepsAllKeys } from './key-selection.js';
export { type NameLookup, NameTable } from './name-table.js';
export type { BaseInterval, RecordFilter } from './record-filter.js';
export type { RecordRewriter } from './record-rewriter.js';
export {
  parseTwoBitHeader,
  parseTwoBitIndex,
  TWO_BIT_HEADER_LENGTH,
  type TwoBitHeader,
  type TwoBitIndexEntry,
  twoBitIndexBounds,
} from './two-bit/header.js';
export {
  parseTwoBitRecord,
  type TwoBitRecord,
  type TwoBitRecordOptions,
  twoBitByteRange,
  twoBitRecordLength,
  unpackTwoBit,
} from './two-bit/record.js';
export { createVcfFilter, type VcfInterval } from './vcf/filter.js';
export { parseContigLine, parseVcfHeader, type VcfContig, type VcfHeader, vcfHeaderLength } from './vcf/header.js';
export { parseVcfRecordSpan, type VcfRecordSpan } from './vcf/record.js';
export { createVcfRewriter } from './vcf/rewriter.js';
