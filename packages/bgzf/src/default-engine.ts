import type { CodecEngine } from './codec-engine.js';
import { pakoEngine } from './engines/pako-engine.js';
import { createWasmEngine } from './engines/wasm-engine.js';

/** Chosen as the module is evaluated: workerd, if at all, compiles WebAssembly only then. It takes a millisecond. */
const engine = chooseEngine();

/** The fastest engine of this runtime: WebAssembly, or pako where that is forbidden. */
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
