export type { AliasRow } from './alias-row.js';
export { parseAliasTable } from './alias-table.js';
export { createCatalogue, joinCatalogues, type SequenceCatalogue } from './catalogue.js';
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
export type { DigestCache } from './digest-cache.js';
export type { DigestProgress } from './digest-progress.js';
export { type FastaLimits, type OpenFastaOptions, openFasta } from './fasta/open-fasta.js';
export { createPlainRefgetHandler, createRefgetHandler } from './handler.js';
export { checkNamingAuthority, type NamingOptions } from './naming.js';
export type { RefgetOptions } from './options.js';
export { type OpenRgstoreOptions, openRgstore } from './rgstore/open-rgstore.js';
export type {
  BaseRange,
  BaseReadOptions,
  LocateOptions,
  NamedSequence,
  Sequence,
  SequenceAlias,
  SequenceMetadata,
} from './sequence.js';
export { parseDictionaryDigests } from './sequence-dictionary.js';
export {
  SequenceSourceError,
  type SequenceSourceErrorCode,
  type SequenceSourceErrorOptions,
} from './sequence-source-error.js';
export { type ImportFastaOptions, type ImportSummary, importFasta } from './store/import-fasta.js';
export { type OpenSequenceStoreOptions, openSequenceStore, type SequenceStore } from './store/sequence-store.js';
export {
  SequenceStoreError,
  type SequenceStoreErrorCode,
  type SequenceStoreErrorOptions,
} from './store/sequence-store-error.js';
export { type StoreFinding, type VerifyStoreOptions, type VerifySummary, verifyStore } from './store/verify-store.js';
export {
  planSubsequence,
  type SubsequencePlan,
  type SubsequenceQuery,
  type SubsequenceRules,
} from './subsequence-plan.js';
export { type OpenTwoBitOptions, openTwoBit, type TwoBitLimits } from './two-bit/open-two-bit.js';
