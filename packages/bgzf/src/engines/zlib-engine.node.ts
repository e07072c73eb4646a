import { crc32, deflateRawSync, inflateRawSync, constants as zlib } from 'node:zlib';
import { BgzfError } from '../bgzf-error.js';
import { MAX_BLOCK_SIZE } from '../block-header.js';
import type { CodecEngine, Expected, InflatedData } from '../codec-engine.js';

/** The smallest chunk size that node:zlib takes. */
const MIN_CHUNK_SIZE = 64;

/** The engine on node:zlib: what Node has without WebAssembly, and what other engines are compared with. */
export const zlibEngine: CodecEngine = {
  name: 'node:zlib',
  createInflater: () => ({ inflateRaw, inflatePrefix }),
  deflateRaw: (data, level) => deflateRawSync(data, { level }),
  crc32: (data) => crc32(data),
};

/** What node:zlib gives with the option `info`, which the declarations of Node leave out. */
export interface ZlibResult {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

export interface ZlibInflateOptions {
  readonly chunkSize: number;
  readonly maxOutputLength: number;
  readonly info: true;
}

/** One chunk that fits: with the default of 16 KiB, node:zlib is a quarter slower. The byte more ends it in one call. */
export function toInflateOptions(size: number): ZlibInflateOptions {
  return { chunkSize: Math.max(MIN_CHUNK_SIZE, size + 1), maxOutputLength: Math.max(1, size), info: true };
}

function inflateRaw(data: Uint8Array, expected: Expected): InflatedData {
  let result: ZlibResult;
  try {
    result = inflateRawSync(data, toInflateOptions(expected.size)) as unknown as ZlibResult;
  } catch (cause) {
    throw isTooLong(cause) ? tooLong(expected, cause) : corrupt(expected, cause);
  }
  const { buffer } = result;
  if (buffer.length > expected.size) throw tooLong(expected);
  return { bytes: toPlainArray(buffer), consumed: result.engine.bytesWritten };
}

/** node:zlib does not stop in time, so this inflates as far as the data goes, and cuts; data of more than a block is refused. */
function inflatePrefix(data: Uint8Array, expected: Expected): Uint8Array {
  let buffer: Uint8Array;
  try {
    buffer = inflateRawSync(data, { ...toInflateOptions(MAX_BLOCK_SIZE), info: false, finishFlush: zlib.Z_SYNC_FLUSH });
  } catch (cause) {
    throw isTooLong(cause) ? tooLong(expected, cause) : corrupt(expected, cause);
  }
  // Flushed like that, incomplete data is no error.
  if (buffer.length < expected.size) return inflateRaw(data, expected).bytes;
  return toPlainArray(buffer).subarray(0, expected.size);
}

/** The same memory, not as a Buffer. */
export function toPlainArray({ buffer, byteOffset, length }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, length);
}

function isTooLong(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';
}

function tooLong({ size, coffset }: Expected, cause?: unknown): BgzfError {
  return new BgzfError('SIZE_MISMATCH', `the data is longer than ISIZE ${size}`, { offset: coffset, cause });
}

function corrupt({ coffset }: Expected, cause: unknown): BgzfError {
  return new BgzfError('INVALID_DATA', 'the DEFLATE data is corrupt or incomplete', { offset: coffset, cause });
}
