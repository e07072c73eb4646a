import { Worker } from 'node:worker_threads';

/** Resolves to the built file from `src` as well as from `dist`: workers run the build even when tests run the sources. */
const script = new URL('../../dist/ahead/record-worker.js', import.meta.url);

/** Starts a worker without the command-line options of the process, such as loaders and the inspector. */
export function spawnRecordWorker(): Worker {
  return new Worker(script, { execArgv: [] });
}
