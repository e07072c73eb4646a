// Feeds a parser with a million damaged inputs, always the same ones: `pnpm mutate bgzf [COUNT] [SEED]`. Each must end in
// an error of the package that names an offset within the input, or in what an independent reader reads.
import { setImmediate } from 'node:timers/promises';
import { mutations } from '../packages/testing/dist/mutations.js';

const [area = 'bgzf', count = '1000000', seed = '1'] = process.argv.slice(2);
const { subjects } = await import(new URL(`mutations/${area}.mjs`, import.meta.url));
/** Longer than any of the small inputs can take, by far. */
const MAX_SECONDS = 5;

let done = 0;
let accepted = 0;
const started = performance.now();
for (const [index, { name, bytes, check }] of subjects.entries()) {
  const share = Math.ceil((Number(count) - done) / (subjects.length - index));
  for (const mutation of mutations(bytes, { seed: Number(seed) + index, count: share })) {
    const start = performance.now();
    try {
      if (await check(mutation.bytes, done)) accepted += 1;
    } catch (error) {
      console.error(`${name}, ${mutation.description} (seed ${Number(seed) + index}):`);
      throw error;
    }
    if (performance.now() - start > MAX_SECONDS * 1000) throw new Error(`${name}, ${mutation.description}: too slow`);
    done += 1;
    // node:zlib, which the independent reader uses, frees what it failed with only between two turns of the event loop.
    if (done % 1000 === 0) await setImmediate();
    if (done % 100_000 === 0) console.error(`${done} of ${count}`);
  }
}
const seconds = Math.round((performance.now() - started) / 1000);
const rss = Math.round(process.memoryUsage().rss / 1e6);
console.log(
  `${done} damaged inputs in ${seconds} s: ${done - accepted} refused, ${accepted} read as they are; ${rss} MB`,
);
