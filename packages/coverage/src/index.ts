export { type Density, type DensityFile, type DensityOptions, density } from './density/density.js';
export { type DepthInterval, type DepthReference, type DepthRegion, depthIntervals } from './depth/clip-runs.js';
export {
  type Depth,
  type DepthFile,
  type DepthReadOptions,
  depth,
  readDepth,
} from './depth/depth.js';
export { DepthAccumulator } from './depth/depth-accumulator.js';
export type { BinOptions } from './depth/depth-bins.js';
export { DEFAULT_EXCLUDE_FLAGS, type DepthColumns, type DepthFilter } from './depth/depth-columns.js';
export type { DepthRuns } from './depth/depth-runs.js';
export {
  type DepthEstimate,
  type EstimatedIndex,
  type EstimateRegion,
  estimateDepth,
} from './estimate/estimate-depth.js';
