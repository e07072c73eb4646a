import { crc32 } from 'node:zlib';
import type { CodecEngine } from './codec-engine.js';
import { createWasmEngine } from './engines/wasm-engine.js';
import { zlibEngine } from './engines/zlib-engine.node.js';

let engine: CodecEngine | undefined;

/** The fastest engine of this runtime: WebAssembly with the CRC32 of node:zlib, or node:zlib alone where it is off. */
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
