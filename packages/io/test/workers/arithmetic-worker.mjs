// A worker for the tests. It runs the built package, like the workers of users.
import { serveJobs } from '../../dist/workers/index.js';

/** @typedef {(question: unknown) => Promise<unknown>} Ask */

serveJobs(async (/** @type {{ operation: string, value: unknown }} */ { operation, value }, /** @type {Ask} */ ask) => {
  if (operation === 'ask') return { result: await Promise.all([ask(value), ask('again')]) };
  if (operation === 'double later') await new Promise((resolve) => setImmediate(resolve));
  if (operation.startsWith('double')) return { result: Number(value) * 2 };
  if (operation === 'give back') return { result: value, transfer: [/** @type {ArrayBuffer} */ (value)] };
  if (operation === 'give a function') return { result: () => value };
  if (operation === 'throw text') throw value;
  if (operation === 'die') {
    process.nextTick(() => {
      throw new Error('died');
    });
    return { result: 'last words' };
  }
  throw new RangeError(`cannot ${operation}`);
});
