/** A running hash: bytes in, one digest out. */
export interface Hasher {
  update(bytes: Uint8Array): void;
  /** The raw digest: 16 bytes for MD5, 64 for SHA-512. Called once, last. */
  digest(): Uint8Array;
}
