// The areas of the linear memory. Each is static and followed by the slack that wide reads and writes use.

/** Largest size of a BGZF block in bytes, compressed and uncompressed (SAMv1 §4.1). */
export const BLOCK_LIMIT: i32 = 65536;

/** Bytes over which a bit is added to others by the CRC32. As many zeros precede the input, for the bits before the first one. */
export const FOLDED_BYTES: i32 = 600;

/**
 * DEFLATE data, written by JavaScript. Its end is checked after the code lengths of a block, which take at most 569
 * bytes, and after each symbol: bytes read after the end never affect the result.
 */
export const INPUT: usize = memory.data(FOLDED_BYTES + 65536 + 1024, 16) + FOLDED_BYTES;

/** Uncompressed data. Up to four literals, a match of 258 bytes and 31 more bytes are written after the last byte. */
export const OUTPUT: usize = memory.data(65536 + 512, 16);
