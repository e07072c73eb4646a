import type { CodecEngine, DeflateEngine, InflateEngine, RawInflater } from './codec-engine.js';
import { crc32 } from './crc32.js';
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
  return { ...createWasmDeflateEngine(options), ...createWasmInflateEngine(options) };
}

/** Creates the part that inflates. It is compiled now: workerd compiles only while modules are evaluated. */
export function createWasmInflateEngine(options: WasmEngineOptions = {}): InflateEngine {
  const first = createWasmInflater();
  return {
    name: 'wasm',
    createInflater: () => createOwnInflater(first),
    crc32: options.crc32 ?? ((data) => first.crc32(data)),
  };
}

/** Creates the part that deflates. It is compiled now, too. */
export function createWasmDeflateEngine(options: WasmEngineOptions = {}): DeflateEngine {
  const deflater = createWasmDeflater();
  return {
    name: 'wasm',
    deflateRaw: (data, level) => deflater.deflateRaw(data, level),
    crc32: options.crc32 ?? crc32,
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
