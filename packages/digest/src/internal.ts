// Shared with @htskit/sequences, which digests whole files; not part of the public interface.
export { normalizePiece, PIECE_LENGTH } from './normalize-piece.js';
export { type Algorithms, type RawDigests, SequenceHasher, toSequenceDigests } from './sequence-hasher.js';
