import type { InflateEngine } from './codec-engine.js';
import { createWasmInflateEngine } from './wasm-engine.js';
import { zlibEngine } from './zlib-engine.node.js';

let engine: InflateEngine | undefined;

/** Returns the fastest engine of Node: WebAssembly, or node:zlib without it. */
export function defaultInflateEngine(): InflateEngine {
  engine ??= chooseEngine();
  return engine;
}

function chooseEngine(): InflateEngine {
  try {
    return createWasmInflateEngine();
  } catch {
    return zlibEngine;
  }
}
