// BGZF files in memory, cut into their blocks as the users of libraries that know only DEFLATE have to do it.

/** Bytes of data in a block, as deflateBlocks and bgzip cut it. */
const BLOCK_DATA = 65280;
/** Bytes of a block around its DEFLATE data: a header of 18 and a footer of 8. */
export const BLOCK_OVERHEAD = 26;

/** The blocks of a file whose headers have no other subfield than BSIZE, which stands at byte 16 then. */
export function splitBlocks(file) {
  const blocks = [];
  for (let at = 0; at < file.length; ) {
    const end = at + (file[at + 16] | (file[at + 17] << 8)) + 1;
    blocks.push(file.subarray(at, end));
    at = end;
  }
  return blocks;
}

/** The DEFLATE data of a block, and what its footer says: CRC32 and length of the uncompressed data. */
export function parseBlock(block) {
  const { buffer, byteOffset, length } = block;
  const footer = new DataView(buffer, byteOffset + length - 8, 8);
  return { deflated: block.subarray(18, -8), crc: footer.getUint32(0, true), isize: footer.getUint32(4, true) };
}

/** Data in the pieces that go into a block each. */
export function splitData(data) {
  const pieces = [];
  for (let at = 0; at < data.length; at += BLOCK_DATA) pieces.push(data.subarray(at, at + BLOCK_DATA));
  return pieces;
}
