import { deflateRaw, Z_FINISH, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2 } from 'pako';
import { BgzfError } from './bgzf-error.js';
import type { CodecEngine, Expected, InflatedData } from './codec-engine.js';
import { crc32 } from './crc32.js';

/** A window of 2^15 bytes; negative means raw DEFLATE. */
const RAW_WINDOW_BITS = -15;

/** The portable engine, on pako. */
export const engine: CodecEngine = { inflateRaw, deflateRaw: (data, level) => deflateRaw(data, { level }), crc32 };

// pako's inflateRaw neither bounds its output nor tells where the data ended, so this calls the zlib port below it.
// One byte more than expected shows data that is too long.
function inflateRaw(data: Uint8Array, { size, coffset }: Expected): InflatedData {
  const stream = new ZStream();
  zlibInflateInit2(stream, RAW_WINDOW_BITS);
  stream.input = data;
  stream.avail_in = data.length;
  stream.output = new Uint8Array(size + 1);
  stream.avail_out = size + 1;
  const status = zlibInflate(stream, Z_FINISH);
  if (stream.total_out > size) {
    throw new BgzfError('SIZE_MISMATCH', `the data is longer than ISIZE ${size}`, { offset: coffset });
  }
  if (status !== Z_STREAM_END) {
    const reason = stream.msg === '' ? '' : `: ${stream.msg}`;
    throw new BgzfError('INVALID_DATA', `the DEFLATE data is corrupt or incomplete${reason}`, { offset: coffset });
  }
  return { bytes: stream.output.subarray(0, stream.total_out), consumed: stream.total_in };
}
