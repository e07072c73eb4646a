import { compileWasm } from './compile.js';
import { deflateWasm } from './deflate-wasm.js';

/** The most bytes that a BGZF block can hold (SAMv1 §4.1). */
const MAX_INPUT = 65536;

/** Raw DEFLATE (RFC 1951) in WebAssembly, with a memory of its own. */
export interface WasmDeflater {
  /**
   * Deflates at most 65536 bytes at a level of 1 (fastest) to 9 (smallest): a view of the module's memory, overwritten by
   * the next call. Undefined if it would not be smaller than storing the data, at 5 bytes more than there are. The same
   * data and level always give the same bytes. Throws RangeError on more data and on any other level.
   */
  deflateRaw(data: Uint8Array, level: number): Uint8Array | undefined;
}

/** What assembly/deflate.ts exports. */
interface DeflateExports {
  readonly memory: WebAssembly.Memory;
  readonly input: WebAssembly.Global<'i32'>;
  readonly output: WebAssembly.Global<'i32'>;
  deflate(length: number, level: number): number;
}

let module: WebAssembly.Module | undefined;

/** A deflater on an instance of its own; the module is compiled once. Throws what WebAssembly throws where it is forbidden. */
export function createWasmDeflater(): WasmDeflater {
  module ??= compileWasm(deflateWasm);
  // The declarations of WebAssembly know nothing of a module's exports.
  const exports = new WebAssembly.Instance(module).exports as unknown as DeflateExports;
  const { buffer } = exports.memory;
  const { value: output } = exports.output;
  const inputArea = new Uint8Array(buffer, exports.input.value, MAX_INPUT);

  function deflate(inputLength: number, level: number): Uint8Array | undefined {
    const length = exports.deflate(inputLength, level);
    return length === 0 ? undefined : new Uint8Array(buffer, output, length);
  }

  return {
    deflateRaw(data, level) {
      if (data.length > MAX_INPUT) throw new RangeError(`a block holds at most ${MAX_INPUT} bytes, not ${data.length}`);
      if (!Number.isInteger(level) || level < 1 || level > 9) {
        throw new RangeError(`level ${level} is not within 1 to 9`);
      }
      inputArea.set(data);
      // Level 9 goes by estimated costs, which mislead it where data repeats itself over and over: then 8 is smaller.
      const other = level === 9 ? deflate(data.length, 8)?.slice() : undefined;
      const deflated = deflate(data.length, level);
      return other !== undefined && other.length < (deflated?.length ?? data.length + 5) ? other : deflated;
    },
  };
}
