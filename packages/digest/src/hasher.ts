/** A running hash: bytes in, one digest out. */
export interface Hasher {
  /** Adds bytes, which may change afterwards. */
  update(bytes: Uint8Array): void;
  /** The raw digest: 16 bytes for MD5, 64 for SHA-512. Called once, last. */
  digest(): Uint8Array;
}

/** Where hashes come from; all engines give the same digests. */
export interface HashEngine {
  createMd5(): Hasher;
  createSha512(): Hasher;
}
