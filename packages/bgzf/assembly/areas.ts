// Where data lies in the linear memory. Every area is static, and followed by the slack that wide reads and writes use.

/** The most bytes of a BGZF block, compressed and uncompressed (SAMv1 §4.1). */
export const BLOCK_LIMIT: i32 = 65536;

/**
 * DEFLATE data, as JS writes it here. Its end is checked after the code lengths of a block, which take 569 bytes at
 * most, and after each symbol: what is read behind it decides nothing.
 */
export const INPUT: usize = memory.data(65536 + 1024, 16);

/** Uncompressed data. Four literals, a match of 258 bytes and 31 bytes more may be written behind the last byte. */
export const OUTPUT: usize = memory.data(65536 + 512, 16);
