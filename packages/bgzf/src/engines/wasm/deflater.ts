import { fromBase64 } from '@htskit/io';
import { MAX_BLOCK_SIZE } from '../../block/block-layout.js';
import { deflateWasm } from './deflate-wasm.js';

/** Raw DEFLATE (RFC 1951) in WebAssembly, with a memory of its own. */
export interface WasmDeflater {
  /**
   * Deflates at most 65536 bytes at a level from 1 (fastest) to 9 (smallest). Returns a view of the module's memory
   * that the next call overwrites, or undefined if the result would not be smaller than a stored block, 5 bytes longer
   * than the data. The same data and level always result in the same bytes. Throws RangeError for more data and for any
   * other level.
   */
  deflateRaw(data: Uint8Array, level: number): Uint8Array | undefined;
}

/** The exports of assembly/deflate.ts. */
interface DeflateExports {
  readonly memory: WebAssembly.Memory;
  readonly input: WebAssembly.Global<'i32'>;
  readonly output: WebAssembly.Global<'i32'>;
  deflate(length: number, level: number): number;
}

let module: WebAssembly.Module | undefined;

/**
 * Creates a deflater with a WebAssembly instance of its own. Throws the error of the runtime if WebAssembly is
 * forbidden.
 */
export function createWasmDeflater(): WasmDeflater {
  module ??= new WebAssembly.Module(fromBase64(deflateWasm));
  // The exports of a module have no static type.
  const exports = new WebAssembly.Instance(module).exports as unknown as DeflateExports;
  const { buffer } = exports.memory;
  const { value: output } = exports.output;
  const inputArea = new Uint8Array(buffer, exports.input.value, MAX_BLOCK_SIZE);

  function deflate(inputLength: number, level: number): Uint8Array | undefined {
    const length = exports.deflate(inputLength, level);
    return length === 0 ? undefined : new Uint8Array(buffer, output, length);
  }

  return {
    deflateRaw(data, level) {
      if (data.length > MAX_BLOCK_SIZE)
        throw new RangeError(`a block holds at most ${MAX_BLOCK_SIZE} bytes, not ${data.length}`);
      if (!Number.isInteger(level) || level < 1 || level > 9) {
        throw new RangeError(`level ${level} is not within 1 to 9`);
      }
      inputArea.set(data);
      // Level 9 relies on estimated costs, which are wrong for very repetitive data. The result of level 8 is smaller
      // then.
      const other = level === 9 ? deflate(data.length, 8)?.slice() : undefined;
      const deflated = deflate(data.length, level);
      return other !== undefined && other.length < (deflated?.length ?? data.length + 5) ? other : deflated;
    },
  };
}
