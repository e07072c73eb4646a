// Where things lie in the linear memory. Every area is static, and followed by the slack that its wide reads and writes use.

/** The most bytes of a BGZF block, compressed and uncompressed (SAMv1 §4.1). */
export const BLOCK_LIMIT: i32 = 65536;

/**
 * DEFLATE data, as JS writes it here. The reader checks the end of the data after each table of code lengths, which has
 * 569 bytes at most, and after each symbol: what it reads behind the data decides nothing.
 */
export const INPUT: usize = memory.data(65536 + 1024, 16);

/** Uncompressed data. Two literals, a match of 258 bytes and the width of a copy may be written behind the last byte. */
export const OUTPUT: usize = memory.data(65536 + 512, 16);
