// Shared with @htskit/refget and @htskit/catalogue; not part of the public interface.
export { namesOf } from './alias-row.js';
export {
  ARRAY_ATTRIBUTES,
  COLLECTION_ATTRIBUTES,
  canonicalArray,
  canonicalAttribute,
  canonicalString,
  canonicalStrings,
  encodeTexts,
  isWellFormed,
  TRANSIENT_ATTRIBUTE,
} from './collection/collection-attributes.js';
export { collectionDigest, digestTexts } from './collection/sequence-collection.js';
export { readFastaTable, toFastaTable } from './fasta/open-fasta.js';
export { readRgstore } from './rgstore/open-rgstore.js';
export { checkBaseRange } from './sequence.js';
export { readImportedTable, toImportedTable } from './store/imported-fasta.js';
export { SequenceTable } from './table/sequence-table.js';
export type { VersionedTable } from './table/table-data.js';
export { readTwoBitTable, toTwoBitTable } from './two-bit/open-two-bit.js';
