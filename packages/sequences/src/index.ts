export { type AliasRow, checkNamingAuthority } from './alias-row.js';
export type {
  ArrayAttribute,
  CollectionArrays,
  CollectionAttribute,
  IndexedList,
} from './collection/collection-attributes.js';
export { CollectionBuilder } from './collection/collection-builder.js';
export type { CollectionSource, CollectionSummary } from './collection/collection-source.js';
export {
  type CollectionMember,
  type DigestedAttribute,
  type SequenceCollection,
  type SequenceCollectionOptions,
  sequenceCollection,
} from './collection/sequence-collection.js';
export {
  type CharacterPolicy,
  type DigestFastaOptions,
  DigestPool,
  type DigestPoolOptions,
  digestFasta,
  type FastaProgress,
} from './digest/digest-pool.js';
export type { RecordObserver } from './digest/fasta-dispatcher.js';
export type { FastaDigests } from './digest/record-digests.js';
export { RecordWarnings, type RecordWarningsOptions } from './digest/record-warnings.js';
export type { DigestCache } from './digest-cache.js';
export { type FastaLimits, type OpenFastaOptions, openFasta } from './fasta/open-fasta.js';
export type { FastaRecordOptions } from './fasta/scan-fasta.js';
export { type AliasTableOptions, type NamingOptions, parseAliasTable, parseDictionaryDigests } from './name-tables.js';
export { type ExportRgstoreOptions, exportRgstore } from './rgstore/export-rgstore.js';
export { type OpenRgstoreOptions, openRgstore, type RgstoreLimits } from './rgstore/open-rgstore.js';
export type {
  BaseRange,
  BaseReadOptions,
  LocateSequenceOptions,
  NamedSequence,
  OpenProgress,
  Sequence,
  SequenceAlias,
  SequenceCatalogue,
  SequenceMetadata,
} from './sequence.js';
export {
  SequenceSourceError,
  type SequenceSourceErrorCode,
  type SequenceSourceErrorOptions,
} from './sequence-source-error.js';
export { type ExportFastaOptions, type ExportOptions, exportFasta, exportTable } from './store/export-collection.js';
export { type ImportFastaOptions, type ImportSummary, importFasta } from './store/import-fasta.js';
export { type RemoveCollectionOptions, type RemoveSummary, removeCollection } from './store/remove-collection.js';
export { type OpenSequenceStoreOptions, openSequenceStore, type SequenceStore } from './store/sequence-store.js';
export {
  SequenceStoreError,
  type SequenceStoreErrorCode,
  type SequenceStoreErrorOptions,
} from './store/sequence-store-error.js';
export { type StoreFinding, type VerifyStoreOptions, type VerifySummary, verifyStore } from './store/verify-store.js';
export { type OpenTwoBitOptions, openTwoBit, type TwoBitLimits } from './two-bit/open-two-bit.js';
