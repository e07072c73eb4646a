import { crc32, deflateRawSync, inflateRawSync, constants as zlib } from 'node:zlib';
import { BgzfError } from '../bgzf-error.js';
import { MAX_BLOCK_SIZE } from '../block/block-layout.js';
import type { CodecEngine, InflatedData, RawInflateOptions } from './codec-engine.js';

/** The smallest chunk size that node:zlib accepts. */
const MIN_CHUNK_SIZE = 64;

/** The engine that runs on node:zlib. Node uses it without WebAssembly, and tests compare the other engines with it. */
export const zlibEngine: CodecEngine = {
  name: 'node:zlib',
  createInflater: () => ({ inflateRaw, inflatePrefix }),
  deflateRaw: (data, level) => deflateRawSync(data, { level }),
  crc32: (data) => crc32(data),
};

/** The result of node:zlib with the option `info`, which its type declarations omit. */
export interface ZlibResult {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

export interface ZlibInflateOptions {
  readonly chunkSize: number;
  readonly maxOutputLength: number;
  readonly info: true;
}

/**
 * Returns options for output in one chunk: the default chunks of 16 KiB are a quarter slower. One byte of extra room
 * lets zlib finish in one call.
 */
export function toInflateOptions(size: number): ZlibInflateOptions {
  return { chunkSize: Math.max(MIN_CHUNK_SIZE, size + 1), maxOutputLength: Math.max(1, size), info: true };
}

function inflateRaw(data: Uint8Array, options: RawInflateOptions): InflatedData {
  let result: ZlibResult;
  try {
    result = inflateRawSync(data, toInflateOptions(options.size)) as unknown as ZlibResult;
  } catch (cause) {
    throw isTooLong(cause) ? tooLong(options, cause) : corrupt(options, cause);
  }
  const { buffer } = result;
  if (buffer.length > options.size) throw tooLong(options);
  return { bytes: toPlainArray(buffer), consumed: result.engine.bytesWritten };
}

/**
 * Inflates the whole block and cuts the result, since node:zlib cannot stop early. Refuses data that exceeds a block.
 */
function inflatePrefix(data: Uint8Array, options: RawInflateOptions): Uint8Array {
  let buffer: Uint8Array;
  try {
    buffer = inflateRawSync(data, { ...toInflateOptions(MAX_BLOCK_SIZE), info: false, finishFlush: zlib.Z_SYNC_FLUSH });
  } catch (cause) {
    throw isTooLong(cause) ? tooLong(options, cause) : corrupt(options, cause);
  }
  // With Z_SYNC_FLUSH, incomplete data is not an error.
  if (buffer.length < options.size) return inflateRaw(data, options).bytes;
  return toPlainArray(buffer).subarray(0, options.size);
}

/** Returns a view of the same memory that is not a Buffer. */
export function toPlainArray({ buffer, byteOffset, length }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, length);
}

function isTooLong(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';
}

function tooLong({ size, coffset }: RawInflateOptions, cause?: unknown): BgzfError {
  return new BgzfError('SIZE_MISMATCH', `the data is longer than ISIZE ${size}`, { offset: coffset, cause });
}

function corrupt({ coffset }: RawInflateOptions, cause: unknown): BgzfError {
  return new BgzfError('INVALID_DATA', 'the DEFLATE data is corrupt or incomplete', { offset: coffset, cause });
}
