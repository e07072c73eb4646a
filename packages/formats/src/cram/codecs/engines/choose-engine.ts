import type { EntropyEngine } from './entropy-engine.js';
import { JsRangeCoder } from './js-range-coder.js';
import { decodeRans } from './js-rans.js';
import { createWasmEntropyEngine } from './wasm-engine.js';

/** The engine in JavaScript, for runtimes that forbid WebAssembly. */
export const jsEntropyEngine: EntropyEngine = {
  name: 'js',
  decodeRans,
  createRangeCoder: (cursor) => new JsRangeCoder(cursor),
};

/**
 * The fastest engine of this runtime. Chosen while the module is evaluated, the only time at which workerd compiles WebAssembly.
 */
export const entropyEngine: EntropyEngine = createWasmEntropyEngine() ?? jsEntropyEngine;
