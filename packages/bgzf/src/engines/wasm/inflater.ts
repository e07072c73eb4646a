import { fromBase64 } from '@htskit/io';
import { BgzfError } from '../../bgzf-error.js';
import { MAX_BLOCK_SIZE } from '../../block/block-layout.js';
import type { InflatedData, RawInflateOptions } from '../codec-engine.js';
import { inflateWasm } from './inflate-wasm.js';

/** The result of `inflate` of the module, instead of a number of bytes, for data that yields more than expected. */
const TOO_LONG = -2;

/** Raw DEFLATE (RFC 1951) of BGZF blocks and CRC32 (RFC 1952 §8) in WebAssembly, with a memory of its own. */
export interface WasmInflater {
  /** The module's memory, which results are views of. */
  readonly memory: ArrayBuffer;
  /**
   * Inflates DEFLATE data that yields at most `size` bytes. `bytes` is a view of the module's memory that the next call
   * of `inflateRaw` or `inflatePrefix` overwrites. Throws BgzfError at `coffset`: INVALID_DATA if the data is corrupt
   * or incomplete, SIZE_MISMATCH if it yields more. Throws RangeError if the data or `size` exceeds 65536 bytes.
   */
  inflateRaw(data: Uint8Array, expected: RawInflateOptions): InflatedData;
  /**
   * Inflates the first `size` bytes, or all if there are fewer, and reads no further. Returns a view like `inflateRaw`.
   * Throws BgzfError INVALID_DATA at `coffset` if the data is corrupt or incomplete up to there, and RangeError like
   * `inflateRaw`.
   */
  inflatePrefix(data: Uint8Array, expected: RawInflateOptions): Uint8Array;
  /** Returns the CRC32 as an unsigned number. Data that this inflater returned is read in place. */
  crc32(data: Uint8Array): number;
}

/** The exports of assembly/inflate.ts. */
interface InflateExports {
  readonly memory: WebAssembly.Memory;
  readonly input: { readonly value: number };
  readonly output: { readonly value: number };
  inflate(inputLength: number, outputLength: number): number;
  inflatePrefix(inputLength: number, outputLength: number): number;
  consumed(): number;
  crc32(start: number, length: number, crc: number): number;
}

let module: WebAssembly.Module | undefined;

/**
 * Creates an inflater with a WebAssembly instance of its own. Throws the error of the runtime if WebAssembly is
 * forbidden.
 */
export function createWasmInflater(): WasmInflater {
  module ??= new WebAssembly.Module(fromBase64(inflateWasm));
  // The exports of a module have no static type.
  const exports = new WebAssembly.Instance(module).exports as unknown as InflateExports;
  const { buffer } = exports.memory;
  const input = exports.input.value;
  const output = exports.output.value;
  const inputArea = new Uint8Array(buffer, input, MAX_BLOCK_SIZE);

  function write(data: Uint8Array, { size }: RawInflateOptions): void {
    if (data.length > MAX_BLOCK_SIZE)
      throw new RangeError(`a block has at most ${MAX_BLOCK_SIZE} bytes, not ${data.length}`);
    if (size > MAX_BLOCK_SIZE) throw new RangeError(`a block holds at most ${MAX_BLOCK_SIZE} bytes, not ${size}`);
    inputArea.set(data);
  }

  return {
    memory: buffer,
    inflateRaw(data, options) {
      write(data, options);
      const size = exports.inflate(data.length, options.size);
      if (size < 0) throw size === TOO_LONG ? tooLong(options) : corrupt(options);
      return { bytes: new Uint8Array(buffer, output, size), consumed: exports.consumed() };
    },
    inflatePrefix(data, options) {
      write(data, options);
      const size = exports.inflatePrefix(data.length, options.size);
      if (size < 0) throw corrupt(options);
      return new Uint8Array(buffer, output, size);
    },
    crc32(data) {
      if (data.buffer === buffer) return exports.crc32(data.byteOffset, data.length, 0) >>> 0;
      let crc = 0;
      for (let start = 0; start < data.length; start += MAX_BLOCK_SIZE) {
        const part = data.subarray(start, start + MAX_BLOCK_SIZE);
        inputArea.set(part);
        crc = exports.crc32(input, part.length, crc);
      }
      return crc >>> 0;
    },
  };
}

function tooLong({ size, coffset }: RawInflateOptions): BgzfError {
  return new BgzfError('SIZE_MISMATCH', `the data is longer than ISIZE ${size}`, { offset: coffset });
}

function corrupt({ coffset }: RawInflateOptions): BgzfError {
  return new BgzfError('INVALID_DATA', 'the DEFLATE data is corrupt or incomplete', { offset: coffset });
}
