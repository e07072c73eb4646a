// Raw DEFLATE (RFC 1951) of a BGZF block: from one area of the linear memory to another, at most 64 KiB each. Valid
// data is what the inflate function of zlib accepts. This is the only entry of the module.
import { BLOCK_LIMIT, INPUT, OUTPUT } from './areas';
import { prepareCodes, readCodes, useFixedCodes } from './codes';
import { prepareCrc32 } from './crc32';
import { inflateHuffmanBlock, prepareMatches } from './huffman-block';
import { CORRUPT, FULL, OK, Stream, takeBits } from './stream';

export { crc32 } from './crc32';

/** Addresses of the DEFLATE data and of the uncompressed data, 64 KiB each. */
export const input: i32 = <i32>INPUT;
export const output: i32 = <i32>OUTPUT;

prepareCodes();
prepareMatches();
prepareCrc32();

/**
 * Inflates the `inputLength` bytes at `input` to `output`. Returns the number of bytes written, -1 if the data is
 * corrupt or incomplete, or -2 if it yields more than `outputLength` bytes.
 */
export function inflate(inputLength: i32, outputLength: i32): i32 {
  if (!begin(inputLength, outputLength)) return CORRUPT;
  Stream.limit = OUTPUT + outputLength + 1;
  const status = inflateBlocks();
  return status == OK ? <i32>(Stream.out - OUTPUT) : status;
}

/**
 * Inflates at least the first `outputLength` bytes and stops. Returns how many of these there are, fewer if the data
 * yields fewer, or -1 if it is corrupt or incomplete up to there.
 */
export function inflatePrefix(inputLength: i32, outputLength: i32): i32 {
  if (!begin(inputLength, outputLength)) return CORRUPT;
  Stream.limit = OUTPUT + outputLength;
  const status = outputLength == 0 ? FULL : inflateBlocks();
  if (status == CORRUPT) return CORRUPT;
  return min(<i32>(Stream.out - OUTPUT), outputLength);
}

/** Returns the bytes of input up to the end of the final block, after `inflate` succeeded. */
export function consumed(): i32 {
  return ((Stream.position + 7) >> 3) - <i32>INPUT;
}

function begin(inputLength: i32, outputLength: i32): bool {
  if (<u32>inputLength > <u32>BLOCK_LIMIT || <u32>outputLength > <u32>BLOCK_LIMIT) return false;
  Stream.position = (<i32>INPUT) << 3;
  Stream.end = (<i32>INPUT + inputLength) << 3;
  Stream.out = OUTPUT;
  return true;
}

/** Inflates blocks up to the final one (RFC 1951 §3.2.3). Returns OK, CORRUPT or FULL. */
function inflateBlocks(): i32 {
  let isFinal = 0;
  do {
    isFinal = takeBits(1);
    const status = inflateBlock(takeBits(2));
    if (status != OK) return status;
  } while (!isFinal);
  return OK;
}

function inflateBlock(type: i32): i32 {
  if (Stream.position > Stream.end) return CORRUPT;
  if (type == 0) return copyStored();
  if (type == 1) useFixedCodes();
  else if (type == 3 || readCodes() != OK) return CORRUPT;
  return inflateHuffmanBlock();
}

/** Copies the rest of a stored block (§3.2.4) up to the limit of the output. */
function copyStored(): i32 {
  const start = <usize>((Stream.position + 7) >> 3);
  const end = <usize>(Stream.end >> 3);
  if (start + 4 > end) return CORRUPT;
  const length = <usize>load<u16>(start);
  if ((length ^ 0xffff) != <usize>load<u16>(start + 2)) return CORRUPT;
  const available = min(length, end - start - 4);
  const size = min(available, Stream.limit - Stream.out);
  memory.copy(Stream.out, start + 4, size);
  Stream.out += size;
  Stream.position = (<i32>(start + 4 + size)) << 3;
  if (Stream.out == Stream.limit) return FULL;
  return available == length ? OK : CORRUPT;
}
