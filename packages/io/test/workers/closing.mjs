// A process that closes pools while they have jobs in progress, and then prints `closed`: node closing.mjs ROUNDS
import { Worker } from 'node:worker_threads';
import { WorkerPool } from '../../dist/workers/index.js';

const rounds = Number(process.argv[2]);
const script = new URL('./arithmetic-worker.mjs', import.meta.url);
for (let round = 0; round < rounds; round += 1) {
  const pool = new WorkerPool({ spawn: () => new Worker(script, { execArgv: [] }), size: 2 });
  const jobs = Array.from({ length: 20 }, async (_, value) => void (await pool.run({ operation: 'double', value })));
  const settled = Promise.allSettled(jobs);
  // At this time answers are in transit.
  await jobs[round % 10];
  await pool.close();
  await settled;
}
process.stdout.write('closed\n');
