export {
  createCoverageHandler,
  createPlainCoverageHandler,
  type PlainCoverageHandler,
} from './coverage-handler.js';
export {
  type CoverageLimits,
  type CoverageOptions,
  type CoverageSummaries,
  DEFAULT_COVERAGE_LIMITS,
} from './coverage-options.js';
export { type CoveragePath, parseCoveragePath } from './coverage-path.js';
export type { CoverageDocument } from './coverage-service.js';
