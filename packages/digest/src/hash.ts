import { md5 } from '@noble/hashes/legacy.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { digestInstance } from './wasm/digest-instance.js';
import { createWasmHashEngine, type HashEngine, type Hasher } from './wasm/wasm-hash.js';

/** Hashes in plain JavaScript at a tenth of the speed of WebAssembly, for runtimes that forbid it. */
export const nobleHashEngine: HashEngine = { createMd5: () => md5.create(), createSha512: () => sha512.create() };

const engine: HashEngine = digestInstance === undefined ? nobleHashEngine : createWasmHashEngine(digestInstance);

/**
 * Creates an MD5 hasher. WebCrypto has no MD5.
 *
 * @example
 * const md5 = createMd5();
 * for await (const chunk of stream) md5.update(chunk);
 * const digest = md5.digest();
 */
export function createMd5(): Hasher {
  return engine.createMd5();
}

/** Creates a SHA-512 hasher. The SHA-512 of WebCrypto needs all data at once. */
export function createSha512(): Hasher {
  return engine.createSha512();
}
