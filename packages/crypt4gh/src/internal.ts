// What the other packages of htskit share with this one. It has no stable interface.

export { toKeptRanges } from './header/edit-list.js';
export { isCrypt4gh } from './header/header-layout.js';
export { type HeaderInput, writeHeader } from './header/write-header.js';
export {
  DataKey,
  decryptSegment,
  encryptSegment,
  generateDataKey,
  NONCE_BYTES,
  plainSize,
  SEGMENT_BYTES,
  STORED_SEGMENT_BYTES,
  storedSize,
} from './segments/segment.js';
export { crypt4ghOf } from './source/decrypting-source.js';
export type { EncryptedFile } from './source/encrypted-file.js';
export type { PlainLayout, SegmentRun } from './source/plain-layout.js';
export { selectRanges } from './source/select-ranges.js';
