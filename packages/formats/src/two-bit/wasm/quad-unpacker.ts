import { fromBase64 } from '@htskit/io';
import { quadsWasm } from './quads-wasm.js';

/** An instance of assembly/quads.ts. Its memory has a fixed size, and the next call overwrites it. */
export interface QuadUnpacker {
  /** Bytes to unpack. */
  readonly packed: Uint8Array;
  /** Their letters, four for each byte. */
  readonly letters: Uint8Array;
  /** Unpacks the first `length` bytes. `alphabet` holds the letters of the four codes, the first in its lowest byte. */
  readonly unpack: (length: number, alphabet: number) => void;
}

interface QuadExports extends Pick<QuadUnpacker, 'unpack'> {
  readonly memory: WebAssembly.Memory;
  readonly capacity: WebAssembly.Global<'i32'>;
  readonly packed: WebAssembly.Global<'i32'>;
  readonly letters: WebAssembly.Global<'i32'>;
}

/**
 * The instance that all callers share, since it keeps nothing between two calls. Undefined if WebAssembly is forbidden or lacks
 * SIMD. Created while the module is evaluated, the only time at which workerd compiles WebAssembly.
 */
export const quadUnpacker: QuadUnpacker | undefined = instantiate();

function instantiate(): QuadUnpacker | undefined {
  try {
    const module = new WebAssembly.Module(fromBase64(quadsWasm));
    // The exports of a module have no static type.
    const exports = new WebAssembly.Instance(module).exports as unknown as QuadExports;
    const { memory, capacity, packed, letters, unpack } = exports;
    const { value: byteLength } = capacity;
    return {
      packed: new Uint8Array(memory.buffer, packed.value, byteLength),
      letters: new Uint8Array(memory.buffer, letters.value, 4 * byteLength),
      unpack,
    };
  } catch {
    return undefined;
  }
}
