export type { AlignmentJson } from './bam/alignment-json.js';
export { AlignmentRecord } from './bam/alignment-record.js';
export type { CigarOperation } from './bam/cigar.js';
export type {
  AlignmentColumnField,
  AlignmentColumns,
  AlignmentColumnTypes,
  AlignmentTagColumns,
} from './bam/columns/alignment-columns.js';
export type { MismatchColumns } from './bam/columns/mismatch-columns.js';
export type { ArrayTagColumn, NumberTagColumn, TagColumn, TextTagColumn } from './bam/columns/tag-column.js';
export { type BamCondition, type BamCriteria, createBamCondition } from './bam/criteria.js';
export { type BamFilterOptions, type BamInterval, createBamFilter } from './bam/filter.js';
export { type BamHeader, type BamReference, parseBamHeader } from './bam/header.js';
export {
  MISMATCH_KINDS,
  type Mismatch,
  type MismatchOptions,
  type ReferenceBases,
  type VisitMismatch,
} from './bam/mismatches/mismatch.js';
export {
  parseReadGroups,
  type ReadGroup,
  type ReadGroupSelection,
  selectHeaderReadGroups,
} from './bam/read-groups.js';
export { createBamRewriter } from './bam/rewriter.js';
export { parseSamHeader } from './bam/sam-header.js';
export type { BamField, BamSelection } from './bam/selection.js';
export type { AlignmentTag, AlignmentTagValue } from './bam/tags/tag-values.js';
export { BcfVariantRecord } from './bcf/bcf-variant-record.js';
export { type BcfHeader, parseBcfHeader } from './bcf/header.js';
export { type BcfInterval, bcfLengthKeys, createBcfFilter } from './bcf/record.js';
export { createBcfRewriter } from './bcf/rewriter.js';
export { type BigWigOptions, BigWigWriter } from './big-wig/big-wig-writer.js';
export type { BigWigReference } from './big-wig/chromosome-tree.js';
export type { BigWigRuns } from './big-wig/data-sections.js';
export { BigWigMemory, type BigWigTarget } from './big-wig/target.js';
export type { ColumnValues } from './columns/growing-column.js';
export type { ListColumn } from './columns/list-column.js';
export { createBamToSam } from './convert/alignments/bam-to-sam.js';
export { createSamToBam } from './convert/alignments/sam-to-bam.js';
export type { RecordConverter } from './convert/record-converter.js';
export { createBcfToVcf } from './convert/variants/bcf-to-vcf.js';
export { createVcfToBcf } from './convert/variants/vcf-to-bcf.js';
export { type CramContainerHeader, parseCramContainerHeader } from './cram/container/container-header.js';
export { type CramHeader, parseCramHeader } from './cram/container/file-header.js';
export type { CramDecoderOptions } from './cram/container-decoder.js';
export { type CramDecoder, createCramDecoder } from './cram/cram-decoder.js';
export type { CramReferenceRequest, CramReferenceSource } from './cram/reference/reference-window.js';
export { type FastaHandler, FastaParser } from './fasta/fasta-parser.js';
export { FormatError, type FormatErrorCode } from './format-error.js';
export type { KeySelection } from './records/key-selection.js';
export type { RecordFilter } from './records/record-filter.js';
export type { RecordRewriter } from './records/record-rewriter.js';
export type {
  InfoColumn,
  TextListColumn,
  VariantColumnField,
  VariantColumns,
  VariantColumnTypes,
} from './vcf/columns/variant-columns.js';
export { createVcfFilter, type VcfInterval } from './vcf/filter.js';
export type { AlleleNumbers, GenotypeMatrix } from './vcf/genotypes/genotype-matrix.js';
export { parseVcfHeader, type VcfHeader } from './vcf/header.js';
export { createVcfRewriter } from './vcf/rewriter.js';
export type { AggregateKey } from './vcf/samples/allele-counts.js';
export {
  type HeaderSelection,
  parseSampleHeader,
  type SampleHeader,
  selectHeaderSamples,
} from './vcf/samples/sample-header.js';
export type { SampleSubset, VariantSelection } from './vcf/samples/sample-subset.js';
export { VariantHeader, type VariantHeaderInput, type VariantKey } from './vcf/variant-header.js';
export type { VariantJson } from './vcf/variant-json.js';
export type { VariantRecord, VariantSample } from './vcf/variant-record.js';
export type { Genotype, VariantValue } from './vcf/variant-values.js';
export { VcfVariantRecord } from './vcf/vcf-variant-record.js';
