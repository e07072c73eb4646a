import { sha256, sha512 } from '@noble/hashes/sha2.js';
import type { Hasher } from './block-hasher.js';
import { createMd5 as createJsMd5 } from './md5.js';
import { digestInstance } from './wasm/digest-instance.js';
import { createWasmHashEngine, type HashEngine } from './wasm/wasm-hash.js';

/** Hashes in plain JavaScript, for runtimes that forbid WebAssembly. (WebAssembly computes SHA-512 ten times as fast.) */
export const jsHashEngine: HashEngine = { createMd5: createJsMd5, createSha512: () => sha512.create() };

const engine: HashEngine = digestInstance === undefined ? jsHashEngine : createWasmHashEngine(digestInstance);

/** Creates an MD5 hasher that shares the WebAssembly of SHA-512. */
export function createMd5(): Hasher {
  return engine.createMd5();
}

/** Creates a SHA-512 hasher. The SHA-512 of WebCrypto needs all data at once. */
export function createSha512(): Hasher {
  return engine.createSha512();
}

/** Creates a SHA-256 hasher. That of WebCrypto needs all data at once. */
export function createSha256(): Hasher {
  return sha256.create();
}
