export { AlignmentRecord } from './bam/alignment-record.js';
export type { CigarOperation, CigarOperationType } from './bam/cigar.js';
export { type BamInterval, createBamFilter } from './bam/filter.js';
export {
  type BamHeader,
  type BamHeaderLimits,
  type BamReference,
  parseBamHeader,
} from './bam/header.js';
export type { Mismatch, ReferenceBases } from './bam/mismatches.js';
export { type BamRecordSpan, bamRecordLength, parseBamRecordSpan } from './bam/record.js';
export { createBamRewriter } from './bam/rewriter.js';
export { encodeBamHeader, parseSamHeader, samHeaderLength } from './bam/sam-header.js';
export { type BamField, type BamSelection, keepsWholeBamRecords } from './bam/selection.js';
export type { AlignmentTag, AlignmentTagArray, AlignmentTagValue } from './bam/tags/tag-values.js';
export { BcfVariantRecord } from './bcf/bcf-variant-record.js';
export { type BcfContig, type BcfHeader, parseBcfHeader } from './bcf/header.js';
export {
  type BcfInterval,
  type BcfLengthKeys,
  type BcfRecordSpan,
  type BcfSpanOptions,
  bcfLengthKeys,
  bcfRecordLength,
  createBcfFilter,
  parseBcfRecordSpan,
} from './bcf/record.js';
export { createBcfRewriter } from './bcf/rewriter.js';
export { createBamToSam } from './convert/alignments/bam-to-sam.js';
export { createSamToBam } from './convert/alignments/sam-to-bam.js';
export type { RecordConverter } from './convert/record-converter.js';
export { createBcfToVcf } from './convert/variants/bcf-to-vcf.js';
export { createVcfToBcf } from './convert/variants/vcf-to-bcf.js';
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
  type CramHeaderLimits,
  type CramReference,
  parseCramHeader,
} from './cram/container/file-header.js';
export {
  type CramDecodeInput,
  type CramDecoder,
  type CramDecoderLimits,
  type CramDecoderOptions,
  createCramDecoder,
} from './cram/record/cram-decoder.js';
export type { CramReferenceRequest, CramReferenceSource } from './cram/record/reference-window.js';
export { type CramContainerSource, type CramSliceSpan, parseCramSliceSpans } from './cram/slice/slice-spans.js';
export { type FastaHandler, FastaParser } from './fasta/fasta-parser.js';
export { FormatError, type FormatErrorCode } from './format-error.js';
export { type KeySelection, keepsAllKeys } from './records/key-selection.js';
export { type NameIds, type NameLookup, NameTable } from './records/name-table.js';
export type { BaseInterval, RecordFilter } from './records/record-filter.js';
export type { RecordRewriter } from './records/record-rewriter.js';
export type { RecordLimits } from './records/record-splitter.js';
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
export { hasAlleleLengths } from './vcf/allele-end.js';
export { createVcfFilter, type VcfInterval } from './vcf/filter.js';
export {
  parseContigLine,
  parseVcfHeader,
  type VcfContig,
  type VcfHeader,
} from './vcf/header.js';
export { parseVcfRecordSpan, type VcfRecordSpan, type VcfSpanOptions } from './vcf/record.js';
export { createVcfRewriter } from './vcf/rewriter.js';
export {
  type Dictionary,
  type DictionaryEntry,
  VariantHeader,
  type VariantHeaderInput,
  type VariantKey,
  type VariantType,
} from './vcf/variant-header.js';
export type { VariantRecord, VariantSample } from './vcf/variant-record.js';
export type { Genotype, VariantScalar, VariantValue } from './vcf/variant-values.js';
export { VcfVariantRecord } from './vcf/vcf-variant-record.js';
