export { BamRecordFilter } from './bam/filter.js';
export { type BamHeader, type BamReference, bamHeaderLength, parseBamHeader } from './bam/header.js';
export type { BamInterval } from './bam/intervals.js';
export { type BamRecordSpan, bamRecordLength, parseBamRecordSpan } from './bam/record.js';
export { MAX_RECORD_LENGTH } from './bam/record-fields.js';
export { type FastaHandler, FastaParser } from './fasta.js';
export { FormatError, type FormatErrorCode } from './format-error.js';
