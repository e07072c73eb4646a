import type { CodecEngine, DeflateEngine, InflateEngine, RawInflater } from './codec-engine.js';
import { crc32 } from './crc32.js';
import { createWasmDeflater } from './wasm/deflater.js';
import { createWasmInflater, type WasmInflater } from './wasm/inflater.js';

export interface WasmEngineOptions {
  /** The CRC32 of data to deflate. That of node:zlib is faster than the default, which is JavaScript. */
  readonly crc32?: (data: Uint8Array) => number;
}

/**
 * Creates the engine that runs in WebAssembly, the fastest one on a single thread. Its results are views of the memory
 * of a WebAssembly instance. Throws the error of the runtime if WebAssembly is forbidden or missing.
 */
export function createWasmEngine(options: WasmEngineOptions = {}): CodecEngine {
  return { ...createWasmDeflateEngine(options), ...createWasmInflateEngine() };
}

/** Creates the part that inflates. It is compiled now: workerd compiles only while modules are evaluated. */
export function createWasmInflateEngine(): InflateEngine {
  const first = createWasmInflater();
  /** Inflaters by the memory of their results, in which CRC32 is computed without copying them. */
  const inflaters = new WeakMap<ArrayBufferLike, WasmInflater>();
  return {
    name: 'wasm',
    createInflater() {
      const inflater = createOwnInflater();
      if (inflater === undefined) return copyResults(first);
      inflaters.set(inflater.memory, inflater);
      return inflater;
    },
    crc32: (data) => (inflaters.get(data.buffer) ?? first).crc32(data),
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
 * Creates an inflater with memory of its own. Each instance reserves gigabytes of address space: returns undefined if none is
 * left.
 */
function createOwnInflater(): WasmInflater | undefined {
  try {
    return createWasmInflater();
  } catch {
    return undefined;
  }
}

/** Returns an inflater whose results are not overwritten by other users of `shared`. */
function copyResults(shared: WasmInflater): RawInflater {
  return {
    inflateRaw(data, options) {
      const { bytes, consumed } = shared.inflateRaw(data, options);
      return { bytes: bytes.slice(), consumed };
    },
    inflatePrefix: (data, options) => shared.inflatePrefix(data, options).slice(),
  };
}
