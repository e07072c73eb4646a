// What the other packages of htskit share with this one. It has no stable interface.

export { findByte } from '#find-byte';
export { BamColumns, type BatchLimits } from './bam/columns/bam-columns.js';
export type { ColumnSelection } from './bam/columns/growing-alignments.js';
export { GrowingAlignments } from './bam/columns/growing-alignments.js';
export { keepsAllRecords } from './bam/criteria.js';
export { BamHeaderReader } from './bam/header.js';
export { replaceBamHeaderText } from './bam/read-groups.js';
export { BamRecords, bamRecordLength, parseBamRecordSpan } from './bam/record.js';
export {
  BAM_LAYOUT,
  baseEnd as bamBaseEnd,
  baseStart as bamBaseStart,
  recordEnd as bamRecordEnd,
  referenceId as bamReferenceId,
} from './bam/record-fields.js';
export { encodeBamHeader, samHeaderLength, samHeaderLines } from './bam/sam-header.js';
export { keepsWholeBamRecords } from './bam/selection.js';
export { BcfSite } from './bcf/bcf-site.js';
export { BcfHeaderReader, encodeBcfHeader } from './bcf/header.js';
export { BCF_LAYOUT, type BcfLengthKeys, BcfRecords, bcfRecordLength, parseBcfRecordSpan } from './bcf/record.js';
export { type BigWigReader, type BigWigZoomLevel, openBigWig } from './big-wig/big-wig-reader.js';
export { type CramColumnDecoder, createCramColumnDecoder } from './cram/column-decoder.js';
export { CramDecodeBudget } from './cram/container/block.js';
export { cramEofContainer, isCramEofContainer } from './cram/container/container-header.js';
export {
  CRAM_FILE_DEFINITION_LENGTH,
  type CramVersion,
  parseCramFileDefinition,
} from './cram/container/file-definition.js';
export { type CramReference, cramHeaderLength } from './cram/container/file-header.js';
export { needsReference } from './cram/slice/needs-reference.js';
export { type CramContainerSource, parseCramSliceSpans } from './cram/slice/slice-spans.js';
export { type CramSlice, type CramSliceOpener, createCramSliceOpener } from './cram/slice-opener.js';
export { locateMemoryError, relocateError } from './format-error.js';
export { HeaderBuffer, type HeaderReader } from './records/header-buffer.js';
export { keepsAllKeys } from './records/key-selection.js';
export {
  type KnownReferences,
  type NameIndex,
  namedReferences,
  numberedReferences,
} from './records/known-references.js';
export { createNameLookup, type NameIds, type NameLookup, NameTable } from './records/name-table.js';
export { printAsJson } from './records/print-as-json.js';
export { createRecordFilter, groupIntervals, type IntervalsById, isPastAll } from './records/record-filter.js';
export {
  BAM_RECORDS,
  BCF_RECORDS,
  type BgzfFormat,
  type LengthKeys,
  type RecordFormat,
  type RecordHeaderReader,
  type RecordInterval,
  VCF_RECORDS,
} from './records/record-format.js';
export type { RecordLimits } from './records/record-splitter.js';
export { parseRegionText, REGION_FORMS } from './records/region-text.js';
export { describeRepeatedReference, describeUnknownReference } from './records/unknown-reference.js';
export {
  parseTwoBitHeader,
  parseTwoBitIndex,
  TWO_BIT_HEADER_LENGTH,
  type TwoBitHeader,
  type TwoBitIndexEntry,
  twoBitIndexBounds,
} from './two-bit/header.js';
export { createQuads, packedPart, type UnpackedInterval, unpackQuads } from './two-bit/quads.js';
export {
  parseTwoBitRecord,
  TWO_BIT_RECORD_START_LENGTH,
  type TwoBitRecord,
  twoBitByteRange,
  twoBitRecordLength,
  unpackTwoBit,
} from './two-bit/record.js';
export { hasAlleleLengths } from './vcf/allele-end.js';
export { GrowingVariants } from './vcf/columns/growing-variants.js';
export { VcfSite } from './vcf/columns/vcf-site.js';
export { parseContigLine } from './vcf/header.js';
export { VcfHeaderReader } from './vcf/header-reader.js';
export { isRecordLine, parseVcfRecordSpan, VCF_LAYOUT } from './vcf/record.js';
