// Shared with @htskit/sequences and @htskit/drs, which digest whole files. Not part of the public interface.
export { createSha256 } from '#hash';
export { type NormalizedPiece, normalizeInPlace, normalizePiece, PIECE_LENGTH } from './normalize.js';
export { isKept, isWhiteSpace, OmittedTally } from './omitted-characters.js';
export { hashBatch, MD5_LENGTH } from './sequence-batch.js';
export { type Algorithms, type RawDigests, SequenceHasher, toSequenceDigests } from './sequence-digester.js';
export { TRUNCATED_LENGTH } from './sha512t24u.js';
