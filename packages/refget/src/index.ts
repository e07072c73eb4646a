export { createCatalogue, type SequenceCatalogue } from './catalogue.js';
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
export type { FastaProgress } from './fasta/digest-fasta.js';
export type { FastaSequence } from './fasta/fasta-sequence.js';
export {
  FastaSourceError,
  type FastaSourceErrorCode,
  type FastaSourceErrorOptions,
} from './fasta/fasta-source-error.js';
export { type FastaLimits, type OpenFastaOptions, openFasta } from './fasta/open-fasta.js';
export { createRefgetHandler } from './handler.js';
export type { RefgetOptions } from './options.js';
export type { BaseRange, BaseReadOptions, Sequence, SequenceAlias, SequenceMetadata } from './sequence.js';
export {
  planSubsequence,
  type SubsequencePlan,
  type SubsequenceQuery,
  type SubsequenceRules,
} from './subsequence-plan.js';
