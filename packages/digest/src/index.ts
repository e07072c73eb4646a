export { createMd5 } from '#hash';
export { DigestError, type DigestErrorCode } from './errors.js';
export type { Hasher } from './hasher.js';
export { normalizeSequence } from './normalize.js';
export type { NormalizeOptions } from './normalize-into.js';
export { SequenceDigester } from './sequence-digester.js';
export type { SequenceDigests } from './sequence-hasher.js';
export {
  type FormatIdentifierOptions,
  formatSequenceIdentifier,
  parseSequenceIdentifier,
  type SequenceIdentifier,
  type SequenceIdentifierOptions,
} from './sequence-identifier.js';
export { fromTrunc512, Sha512t24uDigester, sha512t24u, toTrunc512 } from './sha512t24u.js';
