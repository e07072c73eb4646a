// What the other packages of htskit share with this one. It has no stable interface.

export { findByte } from '#find-byte';
export { BamHeaderReader } from './bam/header.js';
export { BamRecords } from './bam/record.js';
export { BAM_LAYOUT } from './bam/record-fields.js';
export { BcfHeaderReader } from './bcf/header.js';
export { BCF_LAYOUT, BcfRecords } from './bcf/record.js';
export { CramDecodeBudget } from './cram/container/block.js';
export { cramHeaderLength } from './cram/container/file-header.js';
export { locateMemoryError, relocateError } from './format-error.js';
export { HeaderBuffer, type HeaderReader } from './records/header-buffer.js';
export {
  type KnownReferences,
  type NameIndex,
  namedReferences,
  numberedReferences,
} from './records/known-references.js';
export { createRecordFilter } from './records/record-filter.js';
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
export { describeUnknownReference } from './records/unknown-reference.js';
export { createQuads, unpackQuads } from './two-bit/quads.js';
export { TWO_BIT_RECORD_START_LENGTH } from './two-bit/record.js';
export { VcfHeaderReader } from './vcf/header-reader.js';
export { isRecordLine, VCF_LAYOUT } from './vcf/record.js';
