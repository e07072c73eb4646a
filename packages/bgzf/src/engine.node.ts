import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { BgzfError } from './bgzf-error.js';
import type { CodecEngine, Expected, InflatedData } from './codec-engine.js';

/** The smallest chunk size that node:zlib takes. */
const MIN_CHUNK_SIZE = 64;

/** The engine on node:zlib. */
export const engine: CodecEngine = { inflateRaw, deflateRaw, crc32: (data) => crc32(data) };

function inflateRaw(data: Uint8Array, expected: Expected): InflatedData {
  // One chunk that fits: with the default of 16 KiB, node:zlib is a quarter slower. The byte more ends it in one call.
  const chunkSize = Math.max(MIN_CHUNK_SIZE, expected.size + 1);
  const options = { chunkSize, maxOutputLength: Math.max(1, expected.size), info: true };
  let result: { readonly buffer: Uint8Array; readonly engine: { readonly bytesWritten: number } };
  try {
    // With `info` the return type is this, which the declarations of Node leave out.
    result = inflateRawSync(data, options) as unknown as typeof result;
  } catch (cause) {
    throw isTooLong(cause) ? tooLong(expected, cause) : corrupt(expected, cause);
  }
  const { buffer } = result;
  if (buffer.length > expected.size) throw tooLong(expected);
  // Small chunks are slices of Node's shared Buffer pool, whose size depends on the version of Node.
  const isPooled = buffer.buffer.byteLength !== chunkSize;
  const bytes = isPooled ? new Uint8Array(buffer) : new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
  return { bytes, consumed: result.engine.bytesWritten };
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

function deflateRaw(data: Uint8Array, level: number): Uint8Array {
  return new Uint8Array(deflateRawSync(data, { level }));
}
