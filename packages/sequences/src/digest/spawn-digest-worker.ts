import type { SpawnedWorker } from '@htskit/io/workers';

/** Starts a worker in the form that bundlers recognise. */
export function spawnDigestWorker(): SpawnedWorker {
  return new Worker(new URL('./digest-worker.js', import.meta.url), { type: 'module' });
}
