import { jsHashEngine } from '../src/hash.js';
import * as nodeHashEngine from '../src/hash.node.js';
import { type DigestInstance, digestInstance } from '../src/wasm/digest-instance.js';
import { createWasmHashEngine, type HashEngine } from '../src/wasm/wasm-hash.js';

/** Returns the WebAssembly instance, which every runtime that runs the tests can create. */
export function requireInstance(): DigestInstance {
  if (digestInstance === undefined) throw new Error('WebAssembly is not available');
  return digestInstance;
}

export const hashEngines: readonly [string, HashEngine][] = [
  ['node:crypto', nodeHashEngine],
  ['WebAssembly', createWasmHashEngine(requireInstance())],
  ['plain JavaScript', jsHashEngine],
];
