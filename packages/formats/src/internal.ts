// What the other packages of htskit share with this one. It has no stable interface.

export { findByte } from '#find-byte';
export { BamRecords } from './bam/record.js';
export { BAM_LAYOUT } from './bam/record-fields.js';
export { BCF_LAYOUT, BcfRecords } from './bcf/record.js';
export { CramDecodeBudget } from './cram/container/block.js';
export { locateMemoryError, relocateError } from './format-error.js';
export { createRecordFilter } from './record-filter.js';
export { createQuads, unpackQuads } from './two-bit/quads.js';
export { TWO_BIT_RECORD_START_LENGTH } from './two-bit/record.js';
export { describeUnknownReference } from './unknown-reference.js';
export { isRecordLine, VCF_LAYOUT } from './vcf/record.js';
