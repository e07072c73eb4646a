import { deflateRaw, Z_FINISH, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2 } from 'pako';
import { BgzfError } from '../bgzf-error.js';
import type { CodecEngine, Expected, InflatedData } from '../codec-engine.js';
import { crc32 } from '../crc32.js';

/** A window of 2^15 bytes; negative means raw DEFLATE. */
const RAW_WINDOW_BITS = -15;

/** The engine on pako: plain JavaScript, for where WebAssembly is forbidden. */
export const pakoEngine: CodecEngine = {
  name: 'pako',
  createInflater: () => ({ inflateRaw, inflatePrefix }),
  deflateRaw: (data, level) => deflateRaw(data, { level }),
  crc32,
};

// pako's inflateRaw neither bounds its output nor tells where the data ended, so this calls the zlib port below it.
// One byte more than expected shows data that is too long.
function inflateRaw(data: Uint8Array, { size, coffset }: Expected): InflatedData {
  const { stream, status } = inflate(data, size + 1);
  if (stream.total_out > size) {
    throw new BgzfError('SIZE_MISMATCH', `the data is longer than ISIZE ${size}`, { offset: coffset });
  }
  if (status !== Z_STREAM_END) throw corrupt(stream, coffset);
  return { bytes: stream.output.subarray(0, stream.total_out), consumed: stream.total_in };
}

function inflatePrefix(data: Uint8Array, { size, coffset }: Expected): Uint8Array {
  const { stream, status } = inflate(data, size);
  if (stream.total_out < size && status !== Z_STREAM_END) throw corrupt(stream, coffset);
  return stream.output.subarray(0, stream.total_out);
}

function inflate(data: Uint8Array, outputLength: number): { stream: ZStream; status: number } {
  const stream = new ZStream();
  zlibInflateInit2(stream, RAW_WINDOW_BITS);
  stream.input = data;
  stream.avail_in = data.length;
  stream.output = new Uint8Array(outputLength);
  stream.avail_out = outputLength;
  return { stream, status: outputLength === 0 ? Z_STREAM_END : zlibInflate(stream, Z_FINISH) };
}

function corrupt({ msg }: ZStream, coffset: number): BgzfError {
  const reason = msg === '' ? '' : `: ${msg}`;
  return new BgzfError('INVALID_DATA', `the DEFLATE data is corrupt or incomplete${reason}`, { offset: coffset });
}
