import { BgzfError } from '../bgzf-error.js';
import type { Expected, InflatedData } from '../codec-engine.js';
import { compileWasm } from './compile.js';
import { inflateWasm } from './inflate-wasm.js';

/** The most bytes of a BGZF block, compressed and uncompressed (SAMv1 §4.1). */
const BLOCK_LIMIT = 65536;

/** What `inflate` and `inflatePrefix` of the module give instead of a number of bytes. */
const TOO_LONG = -2;

/** Raw DEFLATE (RFC 1951) of BGZF blocks and CRC32 (RFC 1952 §8) in WebAssembly, with a memory of its own. */
export interface WasmInflater {
  /**
   * Inflates DEFLATE data that yields at most `size` bytes. `bytes` is a view of the module's memory, overwritten by the
   * next call of `inflateRaw` or `inflatePrefix`. Throws BgzfError at `coffset`: INVALID_DATA if the data is corrupt or
   * incomplete, SIZE_MISMATCH if it yields more; RangeError if the data or `size` exceeds 65536 bytes.
   */
  inflateRaw(data: Uint8Array, expected: Expected): InflatedData;
  /**
   * Inflates the first `size` bytes, fewer if the data holds fewer, and reads no further; a view as of `inflateRaw`.
   * Throws BgzfError INVALID_DATA at `coffset` if the data is corrupt or incomplete up to there, RangeError as `inflateRaw`.
   */
  inflatePrefix(data: Uint8Array, expected: Expected): Uint8Array;
  /** The CRC32 as an unsigned number. Data that this inflater gave is read where it lies. */
  crc32(data: Uint8Array): number;
}

/** What assembly/inflate.ts exports. */
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

/** An inflater on an instance of its own; the module is compiled once. Throws what WebAssembly throws where it is forbidden. */
export function createWasmInflater(): WasmInflater {
  module ??= compileWasm(inflateWasm);
  // The declarations of WebAssembly know nothing of a module's exports.
  const exports = new WebAssembly.Instance(module).exports as unknown as InflateExports;
  const { buffer } = exports.memory;
  const input = exports.input.value;
  const output = exports.output.value;
  const inputArea = new Uint8Array(buffer, input, BLOCK_LIMIT);

  function write(data: Uint8Array, { size }: Expected): void {
    if (data.length > BLOCK_LIMIT) throw new RangeError(`a block has at most ${BLOCK_LIMIT} bytes, not ${data.length}`);
    if (size > BLOCK_LIMIT) throw new RangeError(`a block holds at most ${BLOCK_LIMIT} bytes, not ${size}`);
    inputArea.set(data);
  }

  return {
    inflateRaw(data, expected) {
      write(data, expected);
      const size = exports.inflate(data.length, expected.size);
      if (size < 0) throw size === TOO_LONG ? tooLong(expected) : corrupt(expected);
      return { bytes: new Uint8Array(buffer, output, size), consumed: exports.consumed() };
    },
    inflatePrefix(data, expected) {
      write(data, expected);
      const size = exports.inflatePrefix(data.length, expected.size);
      if (size < 0) throw corrupt(expected);
      return new Uint8Array(buffer, output, size);
    },
    crc32(data) {
      if (data.buffer === buffer) return exports.crc32(data.byteOffset, data.length, 0) >>> 0;
      let crc = 0;
      for (let start = 0; start < data.length; start += BLOCK_LIMIT) {
        const part = data.subarray(start, start + BLOCK_LIMIT);
        inputArea.set(part);
        crc = exports.crc32(input, part.length, crc);
      }
      return crc >>> 0;
    },
  };
}

function tooLong({ size, coffset }: Expected): BgzfError {
  return new BgzfError('SIZE_MISMATCH', `the data is longer than ISIZE ${size}`, { offset: coffset });
}

function corrupt({ coffset }: Expected): BgzfError {
  return new BgzfError('INVALID_DATA', 'the DEFLATE data is corrupt or incomplete', { offset: coffset });
}
