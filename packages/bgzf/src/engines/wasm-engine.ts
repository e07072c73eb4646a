import type { CodecEngine, RawInflater } from '../codec-engine.js';
import { createWasmDeflater } from '../wasm/deflater.js';
import { createWasmInflater, type WasmInflater } from '../wasm/inflater.js';

export interface WasmEngineOptions {
  /** A CRC32 that is faster than WebAssembly's, such as that of node:zlib. */
  readonly crc32?: (data: Uint8Array) => number;
}

/**
 * The engine on WebAssembly, the fastest on one thread. Its views are of the memory of an instance.
 * Throws what WebAssembly throws where it is forbidden or missing.
 */
export function createWasmEngine(options: WasmEngineOptions = {}): CodecEngine {
  // Both now: workerd compiles only while modules are evaluated, and what is compiled may be instantiated later.
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
 * An inflater with memory of its own; where there is no address space for one more, of which each instance reserves
 * gigabytes, one that copies out of the memory of `shared`.
 */
function createOwnInflater(shared: WasmInflater): RawInflater {
  try {
    return createWasmInflater();
  } catch {
    return {
      inflateRaw(data, expected) {
        const { bytes, consumed } = shared.inflateRaw(data, expected);
        return { bytes: bytes.slice(), consumed };
      },
      inflatePrefix: (data, expected) => shared.inflatePrefix(data, expected).slice(),
    };
  }
}
