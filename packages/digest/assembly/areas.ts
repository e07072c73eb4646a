// The areas of the linear memory.

/** Maximum number of bytes that one call normalises. */
export const CAPACITY: i32 = 65536;

/** Bytes to normalise or blocks to hash, written by JavaScript. The normaliser clears the 32 bytes after them. */
export const RAW: usize = memory.data(65536 + 32, 16);

/** Normalised bytes, which are hashed in place. The normaliser writes up to 32 bytes beyond the result. */
export const BASES: usize = memory.data(65536 + 32, 16);
