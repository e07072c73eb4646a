export { parseBai } from './bai.js';
export type { BinningIndex, RegionQuery } from './binning/binning-index.js';
export type { ReferenceStatistics } from './binning/pseudo-bin.js';
export type { TabixHeader, TabixPreset } from './binning/tabix-header.js';
export {
  BinningIndexBuilder,
  type BinningIndexBuilderOptions,
  type BinningIndexEnd,
  type BinningIndexFormat,
  type IndexedSpan,
} from './build/binning-index-builder.js';
export { type IndexBamOptions, indexBam } from './build/index-bam.js';
export { type IndexBcfOptions, indexBcf } from './build/index-bcf.js';
export { type IndexTabixOptions, type IndexVcfOptions, indexTabix, indexVcf } from './build/index-tabix.js';
export type { IndexStreamOptions } from './build/inflated-blocks.js';
export {
  TABIX_SETTINGS,
  type TabixFormat,
  type TabixSettings,
  type WrittenTabixHeader,
} from './build/tabix-settings.js';
export { type Chunk, type MergeOptions, mergeChunks } from './chunk.js';
export { parseCrai } from './crai/crai.js';
export type { CraiIndex, CramContainerOptions, CramContainerRange, UnplacedQuery } from './crai/crai-index.js';
export { type CraiSlice, formatCrai, gzipCrai } from './crai/crai-slice.js';
export { type IndexCramOptions, indexCram } from './crai/index-cram.js';
export { parseCsi } from './csi.js';
export { baseOffset, type FaiRecord, formatFai, parseFai } from './fai/fai.js';
export { FaiBuilder } from './fai/fai-builder.js';
export type { IndexBytesOptions } from './index-bytes.js';
export { IndexError, type IndexErrorCode } from './index-error.js';
export { parseBinningIndex } from './parse-binning-index.js';
export { type IndexSource, type ReadIndexOptions, readIndex } from './read-index.js';
export { parseTbi } from './tbi.js';
