import type { CodecEngine } from './codec-engine.js';
import { pakoEngine } from './pako-engine.js';
import { createWasmEngine } from './wasm-engine.js';

/**
 * Chosen while the module is evaluated, the only time at which workerd compiles WebAssembly. It takes a millisecond.
 */
const engine = chooseEngine();

/** Returns the fastest engine of this runtime: WebAssembly, or pako if WebAssembly is forbidden. */
export function defaultEngine(): CodecEngine {
  return engine;
}

function chooseEngine(): CodecEngine {
  try {
    return createWasmEngine();
  } catch {
    return pakoEngine;
  }
}
