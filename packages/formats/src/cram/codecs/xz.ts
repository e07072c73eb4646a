import { ByteCursor } from '../byte-cursor.js';
import { LzmaDecoder } from './lzma-decoder.js';

const MAGIC = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0];
/** Bytes of the stream flags and their CRC32, which follow the magic. */
const STREAM_FLAGS_BYTES = 6;
/** The flags of a block: which sizes it has, and the number of its filters minus one. */
const BLOCK_FLAG = { filters: 3, reserved: 0x3c, compressedSize: 0x40, uncompressedSize: 0x80 } as const;
const LZMA2_FILTER = 0x21;

/**
 * Decodes an xz stream of one block whose only filter is LZMA2, as CRAM has it (CRAM 3.1 §14.3). Its checksums and index are not
 * verified: CRAM 3 has a checksum for each block. Throws `FormatError` `INVALID_DATA` if the stream is corrupt or does not yield
 * `size` bytes, `TRUNCATED` if it is incomplete.
 */
export function decodeXz(cursor: ByteCursor, size: number): Uint8Array {
  for (const byte of MAGIC) {
    if (cursor.readByte() !== byte) throw cursor.invalid('not xz data: expected "\\xfd7zXZ"');
  }
  cursor.skip(STREAM_FLAGS_BYTES);
  readBlockHeader(cursor);
  const output = new Uint8Array(size);
  const decoder = new LzmaDecoder(output);
  decodeChunks(cursor, decoder, size);
  if (decoder.length < size)
    throw cursor.invalid(`LZMA data has ${decoder.length} uncompressed bytes, but the block declares ${size}`);
  return output;
}

function readBlockHeader(cursor: ByteCursor): void {
  const { offset } = cursor;
  const byteLength = 4 * (cursor.readByte() + 1);
  if (byteLength === 4) throw cursor.invalid('xz stream has no block');
  const header = new ByteCursor(cursor.readBytes(byteLength - 1), offset + 1);
  const flags = header.readByte();
  if ((flags & (BLOCK_FLAG.filters | BLOCK_FLAG.reserved)) !== 0)
    throw header.invalid('xz block has other filters than LZMA2');
  if ((flags & BLOCK_FLAG.compressedSize) !== 0) skipNumber(header);
  if ((flags & BLOCK_FLAG.uncompressedSize) !== 0) skipNumber(header);
  if (header.readByte() !== LZMA2_FILTER) throw header.invalid('filter of an xz block is not LZMA2');
}

/** Skips a number of seven bits per byte. */
function skipNumber(cursor: ByteCursor): void {
  while (cursor.readByte() >= 0x80);
}

/** Decodes the chunks of LZMA2. Each starts with a control byte: the kind of the chunk, and what it resets. */
function decodeChunks(cursor: ByteCursor, decoder: LzmaDecoder, size: number): void {
  let isFirst = true;
  let hasProperties = false;
  let hasState = false;
  for (let control = cursor.readByte(); control !== 0; control = cursor.readByte()) {
    const resetsDictionary = control === 1 || control >= 0xe0;
    if (isFirst && !resetsDictionary) throw cursor.invalid('first chunk of LZMA2 does not reset the dictionary');
    isFirst = false;
    if (resetsDictionary) decoder.resetDictionary();
    if (control < 0x80) {
      if (control > 2) throw cursor.invalid(`unknown chunk type ${control} of LZMA2`);
      const length = readChunkSize(cursor, 0);
      checkChunk(cursor, decoder.length + length, size);
      decoder.append(cursor.readBytes(length));
      continue;
    }
    const end = decoder.length + readChunkSize(cursor, control & 0x1f);
    checkChunk(cursor, end, size);
    const compressedSize = readChunkSize(cursor, 0);
    if (control >= 0xc0) decoder.setProperties(cursor.readByte(), cursor);
    hasProperties ||= control >= 0xc0;
    hasState ||= control >= 0xa0;
    if (!hasProperties || !hasState) throw cursor.invalid('chunk of LZMA2 lacks properties or state');
    if (control >= 0xa0) decoder.resetState();
    const { offset } = cursor;
    decoder.decodeTo(end, new ByteCursor(cursor.readBytes(compressedSize), offset));
  }
}

/** Reads a size that is stored minus one: its low 16 bits, to which `high` adds the bits above. */
function readChunkSize(cursor: ByteCursor, high: number): number {
  return high * 2 ** 16 + cursor.readByte() * 2 ** 8 + cursor.readByte() + 1;
}

function checkChunk(cursor: ByteCursor, end: number, size: number): void {
  if (end > size) throw cursor.invalid('LZMA data is longer than the block declares');
}
