import { availableThreads, hasWorkers, WorkerPool } from '@htskit/io/workers';
import { equal, failsWith } from '../check.mjs';

/** The worker script of Node, which Bun and Deno run too, or that of browsers. */
function spawn() {
  const node = globalThis.process?.getBuiltinModule?.('node:worker_threads');
  if (node !== undefined) return new node.Worker(new URL('../square-worker.mjs', import.meta.url));
  return new Worker(new URL('../square-worker.mjs', import.meta.url), { type: 'module' });
}

async function withPool(use) {
  const pool = new WorkerPool({ spawn, size: 2 });
  try {
    await use(pool);
  } finally {
    await pool.close();
  }
}

/** Cloudflare Workers have no workers. */
const checksOfWorkers = {
  'passes jobs to workers and returns their results': () =>
    withPool(async (pool) => {
      equal(await Promise.all([1, 2, 3].map((value) => pool.run(value))), [1, 4, 9]);
    }),
  'reports the error of a worker and continues': () =>
    withPool(async (pool) => {
      await failsWith('JOB_FAILED', () => pool.run('three'));
      equal(await pool.run(3), 9);
    }),
  'ends the jobs of a pool that is closed': async () => {
    const pool = new WorkerPool({ spawn, size: 1 });
    const pending = failsWith('ENDED', () => pool.run(1));
    await pool.close();
    await pending;
  },
};

export const checks = {
  'reports the number of threads': () => {
    equal(availableThreads() >= 1, true);
  },
  ...(hasWorkers && checksOfWorkers),
};
