export type { BinningIndex, RegionQuery } from './binning/binning-index.js';
export {
  parseBai,
  parseBinningIndex,
  parseBinningIndexInSteps,
  parseCsi,
  parseTbi,
} from './binning/parse-binning-index.js';
export type { ReferenceStatistics } from './binning/reference-table.js';
export { type Chunk, type MergeOptions, mergeChunks } from './binning/region-chunks.js';
export {
  TABIX_SETTINGS,
  type TabixFormat,
  type TabixHeader,
  type TabixPreset,
  type TabixSettings,
  type WrittenTabixHeader,
} from './binning/tabix-header.js';
export { compactCrai } from './crai/compact-crai.js';
export { type CraiSlice, formatCrai, gzipCrai } from './crai/crai-columns.js';
export {
  CraiIndex,
  type CramContainerOptions,
  type CramContainerRange,
  parseCrai,
  type UnplacedQuery,
} from './crai/crai-index.js';
export { baseOffset, type FaiRecord, formatFai, parseFai, parseFaiLines } from './fai/fai.js';
export { FaiBuilder } from './fai/fai-builder.js';
export { IndexError, type IndexErrorCode } from './index-error.js';
export { type IndexedFormat, indexPaths } from './index-paths.js';
export { decompressIndex, type ParseIndexOptions, type ReadIndexOptions, readIndex } from './read-index.js';
export {
  BinningIndexBuilder,
  type BinningIndexBuilderOptions,
  type BinningIndexEnd,
  type BinningIndexFormat,
  type IndexedSpan,
} from './writers/binning-index-builder.js';
export { type IndexBamOptions, type IndexBcfOptions, indexBam, indexBcf } from './writers/index-bam-bcf.js';
export { type IndexCramOptions, indexCram } from './writers/index-cram.js';
export { type IndexTabixOptions, type IndexVcfOptions, indexTabix, indexVcf } from './writers/index-tabix.js';
export type { IndexStreamOptions } from './writers/inflated-blocks.js';
export { parseTabixLine, type TabixLineSpan } from './writers/tabix-line.js';
export { TabixRecords } from './writers/tabix-records.js';
