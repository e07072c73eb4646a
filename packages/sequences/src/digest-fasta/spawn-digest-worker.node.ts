import { Worker } from 'node:worker_threads';

/** The same file from `src` and from `dist`: tests run the sources, but workers always run what is built. */
const script = new URL('../../dist/digest-fasta/digest-worker.js', import.meta.url);

/** Without the options that the process was started with: they are not meant for digests. */
export function spawnDigestWorker(): Worker {
  return new Worker(script, { execArgv: [] });
}
