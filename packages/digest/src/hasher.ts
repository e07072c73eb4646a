/** A hash in progress. */
export interface Hasher {
  /** Adds bytes, which may change afterwards. */
  update(bytes: Uint8Array): void;
  /** Returns the raw digest, 16 bytes for MD5 and 64 for SHA-512. It must be called once, after the last `update`. */
  digest(): Uint8Array;
}

/** An implementation of the hashes. */
export interface HashEngine {
  createMd5(): Hasher;
  createSha512(): Hasher;
}
