export type { PlainResponse } from '@htskit/http';
export { type Authority, RefgetError, type RefgetErrorCode, type RefgetErrorOptions } from '@htskit/protocol';
export {
  type BaseRange,
  type CollectionMember,
  type CollectionSource,
  type NamedSequence,
  type Sequence,
  type SequenceAlias,
  type SequenceCatalogue,
  type SequenceCollection,
  type SequenceMetadata,
  sequenceCollection,
} from '@htskit/sequences';
export { createCatalogue, joinCatalogues } from './catalogue/catalogue.js';
export {
  type CollectionCatalogue,
  type CollectionFilter,
  type CollectionPage,
  type CollectionQuery,
  createCollectionCatalogue,
  joinCollections,
  type ListRange,
  sourceCollections,
} from './collection/collection-catalogue.js';
export {
  type CollectionComparison,
  type CompareCollectionsOptions,
  type ComparedArray,
  type ComparedCollection,
  type ComparisonRules,
  compareCollections,
  toComparedCollection,
} from './collection/compare-collections.js';
export { parseLocalCollection } from './collection/local-collection.js';
export { createPlainRefgetHandler, createRefgetHandler, type PlainRefgetHandler } from './handler.js';
export type {
  RefgetAuthorizeInput,
  RefgetLimits,
  RefgetObject,
  RefgetOptions,
  RefgetPermission,
} from './options.js';
export { parseRefgetPath, type RefgetPath, refgetObjectOf } from './route.js';
export {
  planSubsequence,
  type SubsequencePlan,
  type SubsequenceQuery,
  type SubsequenceRules,
} from './slice/subsequence-plan.js';
