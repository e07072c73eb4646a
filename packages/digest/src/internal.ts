// Shared with @htskit/sequences, which digests whole files. Not part of the public interface.
export { normalizePiece, PIECE_LENGTH } from './normalize.js';
export { type Algorithms, type RawDigests, SequenceHasher, toSequenceDigests } from './sequence-digester.js';
