export type { AliasRow } from './alias-row.js';
export { parseAliasTable } from './alias-table.js';
export type { DigestCache } from './digest-cache.js';
export { decompress } from './digest-fasta/decompress.js';
export {
  type DigestFastaOptions,
  DigestPool,
  type DigestPoolOptions,
  digestFasta,
  type FastaProgress,
} from './digest-fasta/digest-pool.js';
export type { FastaDigests } from './digest-fasta/record-digests.js';
export type { DigestProgress } from './digest-progress.js';
export { type FastaLimits, type OpenFastaOptions, openFasta } from './fasta/open-fasta.js';
export { checkNamingAuthority, type NamingOptions } from './naming.js';
export { type OpenRgstoreOptions, openRgstore } from './rgstore/open-rgstore.js';
export type {
  BaseRange,
  BaseReadOptions,
  LocateOptions,
  NamedSequence,
  Sequence,
  SequenceAlias,
  SequenceCatalogue,
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
export { type OpenTwoBitOptions, openTwoBit, type TwoBitLimits } from './two-bit/open-two-bit.js';
