import { Z_FINISH, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2 } from 'pako';
import { BgzfError } from '../bgzf-error.js';

/** A window of 2^15 bytes; adding 16 selects the gzip format. */
const GZIP_WINDOW_BITS = 15 + 16;
const FIRST_OUTPUT_LENGTH = 65536;

/** Returns the data of all members, or a beginning of more than `maxBytes` if it is longer. Throws INVALID_DATA. */
export function inflateGzip(bytes: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  let output = new Uint8Array(0);
  let byteLength = 0;
  let offset = 0;
  do {
    const stream = new ZStream();
    zlibInflateInit2(stream, GZIP_WINDOW_BITS);
    stream.input = bytes;
    stream.next_in = offset;
    stream.avail_in = bytes.length - offset;
    let status: number;
    do {
      if (byteLength === output.length) output = grow(output);
      stream.output = output;
      stream.next_out = byteLength;
      stream.avail_out = output.length - byteLength;
      status = zlibInflate(stream, Z_FINISH);
      byteLength = stream.next_out;
      if (byteLength > maxBytes) return output.subarray(0, byteLength);
    } while (status !== Z_STREAM_END && byteLength === output.length);
    if (status !== Z_STREAM_END) {
      throw new BgzfError('INVALID_DATA', 'the gzip data is corrupt or incomplete', { offset });
    }
    offset = stream.next_in;
  } while (offset < bytes.length && bytes[offset] !== 0);
  return output.subarray(0, byteLength);
}

function grow(output: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(Math.max(FIRST_OUTPUT_LENGTH, 2 * output.length));
  grown.set(output);
  return grown;
}
