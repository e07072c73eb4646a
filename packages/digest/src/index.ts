export { createMd5 } from '#md5';
export type { Hasher } from './block-hasher.js';
export { DigestError, type DigestErrorCode } from './digest-error.js';
export { type NormalizeOptions, normalizeSequence } from './normalize.js';
export type { OmittedCharacters, SequenceCharacters } from './omitted-characters.js';
export { SequenceDigester, type SequenceDigests } from './sequence-digester.js';
export {
  type FormatIdentifierOptions,
  formatSequenceIdentifier,
  parseSequenceIdentifier,
  type SequenceIdentifier,
  type SequenceIdentifierOptions,
} from './sequence-identifier.js';
export { fromTrunc512, Sha512t24uDigester, sha512t24u, toTrunc512 } from './sha512t24u.js';
