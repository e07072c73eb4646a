export type { BinningIndex, RegionQuery } from './binning/binning-index.js';
export { parseBai, parseBinningIndex, parseCsi, parseTbi } from './binning/parse-binning-index.js';
export type { Chunk } from './binning/region-chunks.js';
export { TABIX_SETTINGS, type TabixFormat, type TabixHeader, type TabixSettings } from './binning/tabix-header.js';
export { type CraiSlice, formatCrai, gzipCrai } from './crai/crai-columns.js';
export { CraiIndex, parseCrai } from './crai/crai-index.js';
export { baseOffset, type FaiRecord, formatFai, parseFai } from './fai/fai.js';
export { FaiBuilder } from './fai/fai-builder.js';
export { IndexError, type IndexErrorCode } from './index-error.js';
export { type IndexedFormat, indexPaths } from './index-paths.js';
export { type ReadIndexOptions, readIndex } from './read-index.js';
export {
  BinningIndexBuilder,
  type BinningIndexBuilderOptions,
  type IndexedSpan,
} from './writers/binning-index-builder.js';
export { type IndexBamOptions, type IndexBcfOptions, indexBam, indexBcf } from './writers/index-bam-bcf.js';
export { type IndexCramOptions, indexCram } from './writers/index-cram.js';
export { type IndexTabixOptions, type IndexVcfOptions, indexTabix, indexVcf } from './writers/index-tabix.js';
