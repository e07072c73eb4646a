export { Crypt4ghError, type Crypt4ghErrorCode } from './crypt4gh-error.js';
export type { Crypt4ghHeader } from './header/crypt4gh-header.js';
export { type EditList, toEditList } from './header/edit-list.js';
export { type OpenHeaderOptions, openHeader } from './header/open-header.js';
export { type ReencryptHeaderOptions, reencryptHeader } from './header/reencrypt-header.js';
export { formatPublicKey, parsePublicKey } from './keys/public-key.js';
export { generateKeyPair, type KeyPair, publicKeyOf, SecretKey } from './keys/secret-key.js';
export {
  type FormatSecretKeyOptions,
  formatSecretKey,
  type ParseSecretKeyOptions,
  type Passphrase,
  parseSecretKey,
} from './keys/secret-key-file.js';
export type { DataKey } from './segments/segment.js';
export { type DecryptingSourceOptions, decryptingSource } from './source/decrypting-source.js';
export { type DecryptStreamOptions, decryptStream } from './stream/decrypt-stream.js';
export { type EncryptStreamOptions, encryptStream } from './stream/encrypt-stream.js';
export { reencryptStream } from './stream/reencrypt-stream.js';
