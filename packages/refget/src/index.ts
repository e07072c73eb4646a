export type { PlainResponse } from '@htskit/http';
export { type Authority, RefgetError, type RefgetErrorCode, type RefgetErrorOptions } from '@htskit/protocol';
export type {
  BaseRange,
  BaseReadOptions,
  LocateSequenceOptions,
  NamedSequence,
  Sequence,
  SequenceAlias,
  SequenceCatalogue,
  SequenceMetadata,
} from '@htskit/sequences';
export { createCatalogue, joinCatalogues } from './catalogue/catalogue.js';
export type { ArrayAttribute, CollectionArrays, CollectionAttribute } from './collection/collection-attributes.js';
export {
  type CollectionCatalogue,
  type CollectionFilter,
  type CollectionPage,
  type CollectionQuery,
  createCollectionCatalogue,
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
export {
  type CollectionMember,
  type DigestedAttribute,
  type SequenceCollection,
  type SequenceCollectionOptions,
  sequenceCollection,
} from './collection/sequence-collection.js';
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
