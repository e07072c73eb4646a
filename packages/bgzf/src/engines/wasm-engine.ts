import type { CodecEngine, RawInflater } from './codec-engine.js';
import { createWasmDeflater } from './wasm/deflater.js';
import { createWasmInflater, type WasmInflater } from './wasm/inflater.js';

export interface WasmEngineOptions {
  /** A CRC32 that is faster than the one in WebAssembly, such as that of node:zlib. */
  readonly crc32?: (data: Uint8Array) => number;
}

/**
 * Creates the engine that runs in WebAssembly, the fastest one on a single thread. Its results are views of the memory
 * of a WebAssembly instance. Throws the error of the runtime if WebAssembly is forbidden or missing.
 */
export function createWasmEngine(options: WasmEngineOptions = {}): CodecEngine {
  // Both are compiled now: workerd compiles only while modules are evaluated, and instantiates compiled modules at any
  // time.
  const first = createWasmInflater();
  const deflater = createWasmDeflater();
  return {
    name: 'wasm',
    createInflater: () => createOwnInflater(first),
    deflateRaw: (data, level) => deflater.deflateRaw(data, level),
    crc32: options.crc32 ?? ((data) => first.crc32(data)),
  };
}

/**
 * Creates an inflater with memory of its own. Each instance reserves gigabytes of address space; if none is left, the
 * inflater copies its results from the memory of `shared`.
 */
function createOwnInflater(shared: WasmInflater): RawInflater {
  try {
    return createWasmInflater();
  } catch {
    return {
      inflateRaw(data, options) {
        const { bytes, consumed } = shared.inflateRaw(data, options);
        return { bytes: bytes.slice(), consumed };
      },
      inflatePrefix: (data, options) => shared.inflatePrefix(data, options).slice(),
    };
  }
}
