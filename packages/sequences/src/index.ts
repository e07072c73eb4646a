export type { AliasRow } from './alias-row.js';
export { CollectionBuilder } from './collection/collection-builder.js';
export type { CollectionSource } from './collection/collection-source.js';
export {
  type CollectionMember,
  type SequenceCollection,
  sequenceCollection,
} from './collection/sequence-collection.js';
export {
  type CharacterPolicy,
  type DigestFastaOptions,
  DigestPool,
  type DigestPoolOptions,
  digestFasta,
} from './digest/digest-pool.js';
export type { FastaDigests } from './digest/record-digests.js';
export type { DigestCache } from './digest-cache.js';
export { type OpenFastaOptions, openFasta } from './fasta/open-fasta.js';
export { type NamingOptions, parseAliasTable, parseDictionaryDigests } from './name-tables.js';
export type { FileLocation } from './open-location.js';
export { exportRgstore } from './rgstore/export-rgstore.js';
export { type OpenRgstoreOptions, openRgstore } from './rgstore/open-rgstore.js';
export type {
  BaseRange,
  NamedSequence,
  ReadBasesOptions,
  Sequence,
  SequenceAlias,
  SequenceCatalogue,
  SequenceMetadata,
} from './sequence.js';
export { SequenceSourceError, type SequenceSourceErrorCode } from './sequence-source-error.js';
export { exportFasta, exportTable } from './store/export-collection.js';
export { type ImportFastaOptions, type ImportSummary, importFasta } from './store/import-fasta.js';
export { removeCollection } from './store/remove-collection.js';
export { type OpenSequenceStoreOptions, openSequenceStore, type SequenceStore } from './store/sequence-store.js';
export { SequenceStoreError, type SequenceStoreErrorCode } from './store/sequence-store-error.js';
export { type StoreFinding, verifyStore } from './store/verify-store.js';
export { type OpenTwoBitOptions, openTwoBit } from './two-bit/open-two-bit.js';
