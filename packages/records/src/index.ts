export type { AlignmentColumnsOptions } from './columns/alignment-columns.js';
export type { GenotypeBatch, GenotypeOptions, VariantColumnOptions } from './columns/variant-batches.js';
export {
  type AlignmentFile,
  type AlignmentHeader,
  type AlignmentOptions,
  openAlignments,
  openBam,
} from './open-alignments.js';
export { openRecords } from './open-records.js';
export { openTabix, type TabixFile, type TabixFileHeader, type TabixOptions } from './open-tabix.js';
export { openVariants, type VariantFile, type VariantOptions } from './open-variants.js';
export { type ReadPair, readPairs } from './pairs/read-pairs.js';
export type { RecordFile } from './record-file.js';
export { RecordsError, type RecordsErrorCode } from './records-error.js';
export type { ReferenceOption } from './reference/reference-option.js';
export type { Region } from './region.js';
export type { RecordSource, SourceOptions } from './source/open-source.js';
export type { ReadProgress } from './source/progress-meter.js';
export type { HtsgetSource } from './stored/htsget-store.js';
export type { Reference } from './stored/record-format.js';
export type { ReadRecordsOptions } from './stored/record-store.js';
export type { TabixRecord } from './tabix-record.js';
