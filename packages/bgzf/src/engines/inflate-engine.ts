import type { InflateEngine } from './codec-engine.js';
import { jsInflateEngine } from './js/js-inflater.js';
import { createWasmInflateEngine } from './wasm-engine.js';

/**
 * Chosen while the module is evaluated, the only time at which workerd compiles WebAssembly. It takes a millisecond.
 */
const engine = chooseEngine();

/** Returns the fastest engine of this runtime: WebAssembly, or plain JavaScript if WebAssembly is forbidden. */
export function defaultInflateEngine(): InflateEngine {
  return engine;
}

function chooseEngine(): InflateEngine {
  try {
    return createWasmInflateEngine();
  } catch {
    return jsInflateEngine;
  }
}
