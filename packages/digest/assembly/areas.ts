// The areas of the linear memory.

/** Maximum number of bytes that one call normalises. */
export const CAPACITY: i32 = 65536;

/** Bytes to normalise or blocks to hash, written by JavaScript. The normaliser clears the 32 bytes after them. */
export const RAW: usize = memory.data(65536 + 32, 16);

/** Normalised bytes, which are hashed in place. The normaliser writes up to 32 bytes beyond the result. */
export const BASES: usize = memory.data(65536 + 32, 16);

/** Most sequences that one call hashes. */
export const BATCH: i32 = 1024;

/** The start and the end of each sequence to hash, in bytes from the start of RAW, as 32-bit words. */
export const RANGES: usize = memory.data(1024 * 8, 16);

/** The MD5 of each sequence, 16 bytes each. */
export const MD5_DIGESTS: usize = memory.data(1024 * 16, 16);

/** The first 24 bytes of the SHA-512 of each sequence. */
export const SHA512_DIGESTS: usize = memory.data(1024 * 24, 16);
