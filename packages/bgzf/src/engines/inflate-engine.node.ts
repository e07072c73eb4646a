import { crc32 } from 'node:zlib';
import type { InflateEngine } from './codec-engine.js';
import { createWasmInflateEngine } from './wasm-engine.js';
import { zlibEngine } from './zlib-engine.node.js';

let engine: InflateEngine | undefined;

/** Returns the fastest engine of Node: WebAssembly with the CRC32 of node:zlib, or node:zlib without WebAssembly. */
export function defaultInflateEngine(): InflateEngine {
  engine ??= chooseEngine();
  return engine;
}

function chooseEngine(): InflateEngine {
  try {
    return createWasmInflateEngine({ crc32: (data) => crc32(data) });
  } catch {
    return zlibEngine;
  }
}
