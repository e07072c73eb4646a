import { crc32 } from 'node:zlib';
import type { DeflateEngine } from './codec-engine.js';
import { createWasmDeflateEngine } from './wasm-engine.js';
import { zlibEngine } from './zlib-engine.node.js';

let engine: DeflateEngine | undefined;

/** Returns the fastest engine of Node: WebAssembly with the CRC32 of node:zlib, or node:zlib without WebAssembly. */
export function defaultDeflateEngine(): DeflateEngine {
  engine ??= chooseEngine();
  return engine;
}

function chooseEngine(): DeflateEngine {
  try {
    return createWasmDeflateEngine({ crc32: (data) => crc32(data) });
  } catch {
    return zlibEngine;
  }
}
