import type { CodecEngine } from '../codec-engine.js';
import { createWasmDeflater } from '../wasm/deflater.js';
import { createWasmInflater } from '../wasm/inflater.js';

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
    createInflater: createWasmInflater,
    deflateRaw: (data, level) => deflater.deflateRaw(data, level),
    crc32: options.crc32 ?? ((data) => first.crc32(data)),
  };
}
