// What the other packages of htskit share with this one. It has no stable interface.
export { BamRecords } from './bam/record.js';
export { BcfRecords } from './bcf/record.js';
export { CramDecodeBudget } from './cram/container/block.js';
export { relocateError } from './format-error.js';
export { TWO_BIT_RECORD_START_LENGTH } from './two-bit/record.js';
