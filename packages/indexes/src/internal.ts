// What the other packages of htskit share with this one. It has no stable interface.

export { parseBinningIndexInSteps } from './binning/parse-binning-index.js';
export { mergeChunks } from './binning/region-chunks.js';
export { compactCrai } from './crai/compact-crai.js';
export type { CramContainerRange } from './crai/crai-index.js';
export { parseFaiLines } from './fai/fai.js';
export { decompressIndex, type ParseIndexOptions } from './read-index.js';
export type { IndexStreamOptions } from './writers/inflated-blocks.js';
export { parseTabixLine, type TabixLineSpan } from './writers/tabix-line.js';
export { TabixRecords } from './writers/tabix-records.js';
