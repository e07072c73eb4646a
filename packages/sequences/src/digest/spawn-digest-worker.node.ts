import { Worker } from 'node:worker_threads';

/** Resolves to the same file from `src` and from `dist`: tests run the sources, but workers always run the build. */
const script = new URL('../../dist/digest/digest-worker.js', import.meta.url);

/** Starts a worker without the Node options of this process, which are not meant for it. */
export function spawnDigestWorker(): Worker {
  return new Worker(script, { execArgv: [] });
}
