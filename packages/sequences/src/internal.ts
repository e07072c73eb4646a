// Shared with @htskit/refget and @htskit/catalogue; not part of the public interface.
export { checkNamingAuthority, namesOf } from './alias-row.js';
export {
  ARRAY_ATTRIBUTES,
  type ArrayAttribute,
  COLLECTION_ATTRIBUTES,
  type CollectionAttribute,
  canonicalArray,
  canonicalAttribute,
  canonicalString,
  canonicalStrings,
  encodeTexts,
  type IndexedList,
  isWellFormed,
  TRANSIENT_ATTRIBUTE,
} from './collection/collection-attributes.js';
export type { CollectionSummary } from './collection/collection-source.js';
export {
  collectionDigest,
  digestTexts,
} from './collection/sequence-collection.js';
export { RecordWarnings } from './digest/record-warnings.js';
export { readFastaTable, toFastaTable } from './fasta/open-fasta.js';
export { curieKey, lookupKey, lookupKeys } from './lookup-keys.js';
export { readRgstore } from './rgstore/open-rgstore.js';
export { type OpenProgress, toSequence } from './sequence.js';
export { wrapLines } from './store/export-collection.js';
export { readImportedTable, toImportedTable } from './store/imported-fasta.js';
export { SequenceTable } from './table/sequence-table.js';
export type { VersionedTable } from './table/table-data.js';
export { readTwoBitTable, toTwoBitTable } from './two-bit/open-two-bit.js';
export { TwoBitFile } from './two-bit/two-bit-file.js';
