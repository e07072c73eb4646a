// BGZF files in memory, cut into blocks as users of libraries that know only DEFLATE must do it.

/** Data bytes per block, as deflateBlocks and bgzip cut it. */
const BLOCK_DATA = 65280;
/** Bytes of a block besides its DEFLATE data: a header of 18 and a footer of 8. */
export const BLOCK_OVERHEAD = 26;

/** Returns the blocks of a file whose headers have no subfield but BSIZE, which is then at byte 16. */
export function splitBlocks(file) {
  const blocks = [];
  for (let at = 0; at < file.length; ) {
    const end = at + (file[at + 16] | (file[at + 17] << 8)) + 1;
    blocks.push(file.subarray(at, end));
    at = end;
  }
  return blocks;
}

/** Returns the DEFLATE data of a block, and the CRC32 and uncompressed length in its footer. */
export function parseBlock(block) {
  const { buffer, byteOffset, length } = block;
  const footer = new DataView(buffer, byteOffset + length - 8, 8);
  return { deflated: block.subarray(18, -8), crc: footer.getUint32(0, true), isize: footer.getUint32(4, true) };
}

/** Returns the pieces of data that go into one block each. */
export function splitData(data) {
  const pieces = [];
  for (let at = 0; at < data.length; at += BLOCK_DATA) pieces.push(data.subarray(at, at + BLOCK_DATA));
  return pieces;
}
