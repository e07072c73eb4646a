export { DepthAccumulator } from './depth/depth-accumulator.js';
export type { DepthColumns, DepthFilter } from './depth/depth-columns.js';
export type { DepthRuns } from './depth/depth-runs.js';
export {
  type DepthEstimate,
  type EstimatedIndex,
  type EstimateRegion,
  estimateDepth,
} from './estimate/estimate-depth.js';
