// Shared with @htskit/catalogue and @htskit/server; not part of the public interface.
export { CollectionBytes, type CollectionFile, collectionSource, FASTA_LINES } from './collection/collection-fasta.js';
export { parseRefgetPath, type RefgetPath, refgetObjectOf } from './route.js';
