import { crc32 } from 'node:zlib';
import type { CodecEngine } from './codec-engine.js';
import { createWasmEngine } from './wasm-engine.js';
import { zlibEngine } from './zlib-engine.node.js';

let engine: CodecEngine | undefined;

/**
 * Returns the fastest engine of this runtime: WebAssembly with the CRC32 of node:zlib, or node:zlib without
 * WebAssembly.
 */
export function defaultEngine(): CodecEngine {
  engine ??= chooseEngine();
  return engine;
}

function chooseEngine(): CodecEngine {
  try {
    return createWasmEngine({ crc32: (data) => crc32(data) });
  } catch {
    return zlibEngine;
  }
}
