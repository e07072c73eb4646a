import * as nodeHashEngine from '../src/hash.node.js';
import type { HashEngine } from '../src/hasher.js';
import { nobleHashEngine } from '../src/noble-hash.js';
import { type DigestInstance, digestInstance } from '../src/wasm/digest-instance.js';
import { createWasmHashEngine } from '../src/wasm/wasm-hash.js';

/** The instance, which every runtime that runs the tests can make. */
export function requireInstance(): DigestInstance {
  if (digestInstance === undefined) throw new Error('WebAssembly does not work here');
  return digestInstance;
}

export const hashEngines: readonly [string, HashEngine][] = [
  ['node:crypto', nodeHashEngine],
  ['WebAssembly', createWasmHashEngine(requireInstance())],
  ['@noble/hashes', nobleHashEngine],
];
