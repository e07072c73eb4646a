import { deflateRaw, Z_FINISH, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2 } from 'pako';
import { BgzfError } from '../bgzf-error.js';
import type { CodecEngine, InflatedData, RawInflateOptions } from './codec-engine.js';
import { crc32 } from './crc32.js';

/** A window of 2^15 bytes; a negative number selects raw DEFLATE. */
const RAW_WINDOW_BITS = -15;

/** The engine that runs on pako, plain JavaScript, for runtimes that forbid WebAssembly. */
export const pakoEngine: CodecEngine = {
  name: 'pako',
  createInflater: () => ({ inflateRaw, inflatePrefix }),
  deflateRaw: (data, level) => deflateRaw(data, { level }),
  crc32,
};

// pako's own inflateRaw neither bounds its output nor reports where the data ended, so this calls the zlib port below
// it. Room for one byte more than `size` reveals data that is too long.
function inflateRaw(data: Uint8Array, { size, coffset }: RawInflateOptions): InflatedData {
  const { stream, status } = inflate(data, size + 1);
  if (stream.total_out > size) {
    throw new BgzfError('SIZE_MISMATCH', `the data is longer than ISIZE ${size}`, { offset: coffset });
  }
  if (status !== Z_STREAM_END) throw corrupt(stream, coffset);
  return { bytes: stream.output.subarray(0, stream.total_out), consumed: stream.total_in };
}

function inflatePrefix(data: Uint8Array, { size, coffset }: RawInflateOptions): Uint8Array {
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
