import type { DeflateEngine } from './codec-engine.js';
import { pakoEngine } from './pako-engine.js';
import { createWasmDeflateEngine } from './wasm-engine.js';

/**
 * Chosen while the module is evaluated, the only time at which workerd compiles WebAssembly. It takes a millisecond.
 */
const engine = chooseEngine();

/** Returns the fastest engine of this runtime: WebAssembly, or pako if WebAssembly is forbidden. */
export function defaultDeflateEngine(): DeflateEngine {
  return engine;
}

function chooseEngine(): DeflateEngine {
  try {
    return createWasmDeflateEngine();
  } catch {
    return pakoEngine;
  }
}
