export { parseBai } from './bai.js';
export type { BinningIndex, RegionQuery } from './binning/binning-index.js';
export type { ReferenceStatistics } from './binning/pseudo-bin.js';
export { type Chunk, mergeChunks } from './chunk.js';
export { baseOffset, type FaiRecord, formatFai, parseFai } from './fai/fai.js';
export { FaiBuilder } from './fai/fai-builder.js';
export { IndexError, type IndexErrorCode } from './index-error.js';
