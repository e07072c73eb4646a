export { createCatalogue, type SequenceCatalogue } from './catalogue.js';
export { createRefgetHandler } from './handler.js';
export type { RefgetOptions } from './options.js';
export type { BaseRange, Sequence, SequenceAlias, SequenceMetadata } from './sequence.js';
export {
  planSubsequence,
  type SubsequencePlan,
  type SubsequenceQuery,
  type SubsequenceRules,
} from './subsequence-plan.js';
