// node --expose-gc retained.mjs FORMAT LIBRARY FILE: prints the bytes that an open index keeps after one query of each
// reference.
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { LIBRARIES } from './libraries.mjs';
import { regionOnEachReference } from './regions.mjs';

const [format, library, path] = process.argv.slice(2);
const { open, count } = LIBRARIES[format][library];
const regions = regionOnEachReference(10_000);

// The memory of code that is compiled on first use does not belong to the index.
await openAndAsk();
const before = await usedBytes();
const index = await openAndAsk();
const retained = (await usedBytes()) - before;
console.log(retained);
// After the measurement, so that the index is alive until then.
await count(index, regions);

async function openAndAsk() {
  const index = await open(new Uint8Array(readFileSync(path)));
  await count(index, regions);
  return index;
}

async function usedBytes() {
  for (let round = 0; round < 3; round += 1) {
    await setImmediate();
    globalThis.gc();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
