import type { HashEngine, Hasher } from './hasher.js';
import { nobleHashEngine } from './noble-hash.js';
import { digestInstance } from './wasm/digest-instance.js';
import { createWasmHashEngine } from './wasm/wasm-hash.js';

const engine: HashEngine = digestInstance === undefined ? nobleHashEngine : createWasmHashEngine(digestInstance);

/** MD5 for browsers and workers (WebCrypto has none). */
export function createMd5(): Hasher {
  return engine.createMd5();
}

/** SHA-512 for browsers and workers: WebCrypto has it, but only for data that is held whole. */
export function createSha512(): Hasher {
  return engine.createSha512();
}
