import { deflateRaw, Z_BUF_ERROR, Z_FINISH, Z_OK, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2 } from 'pako';
import { BgzfError } from './bgzf-error.js';
import type { CodecEngine, InflatedData } from './codec-engine.js';
import { crc32 } from './crc32.js';

/** A window of 2^15 bytes; negative means raw DEFLATE. */
const RAW_WINDOW_BITS = -15;

/** The portable engine, on pako. */
export const engine: CodecEngine = { inflateRaw, deflateRaw: (data, level) => deflateRaw(data, { level }), crc32 };

// pako's own inflateRaw neither bounds its output nor tells where the data ended, so this drives its zlib port directly.
function inflateRaw(
  data: Uint8Array,
  { size, coffset }: { readonly size: number; readonly coffset: number },
): InflatedData {
  const stream = new ZStream();
  zlibInflateInit2(stream, RAW_WINDOW_BITS);
  stream.input = data;
  stream.avail_in = data.length;
  stream.output = new Uint8Array(size + 1);
  stream.avail_out = size + 1;
  const status = zlibInflate(stream, Z_FINISH);
  if (status === Z_STREAM_END) {
    return { bytes: stream.output.subarray(0, stream.total_out), consumed: stream.total_in };
  }
  if (stream.avail_out === 0 && (status === Z_OK || status === Z_BUF_ERROR)) {
    throw new BgzfError('SIZE_MISMATCH', `the data is longer than ISIZE ${size}`, { offset: coffset });
  }
  const reason = stream.msg === '' ? 'incomplete' : stream.msg;
  throw new BgzfError('INVALID_DATA', `the DEFLATE data is corrupt: ${reason}`, { offset: coffset });
}
