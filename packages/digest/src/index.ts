export { DigestError, type DigestErrorCode } from './errors.js';
export { normalizeSequence } from './normalize.js';
export type { NormalizeOptions } from './normalize-into.js';
export { SequenceDigester, type SequenceDigests } from './sequence-digester.js';
export {
  type FormatIdentifierOptions,
  formatSequenceIdentifier,
  parseSequenceIdentifier,
  type SequenceIdentifier,
  type SequenceIdentifierOptions,
} from './sequence-identifier.js';
export { fromTrunc512, sha512t24u, toTrunc512 } from './sha512t24u.js';
