import type { SpawnedWorker } from '@htskit/io/workers';

/** Starts a worker in the form that bundlers detect. */
export function spawnCodecWorker(): SpawnedWorker {
  return new Worker(new URL('./codec-worker.js', import.meta.url), { type: 'module' });
}
