import type { SpawnedWorker } from '@htskit/io/workers';

/** Starts a worker in the form that bundlers detect. */
export function spawnDeliveryWorker(): SpawnedWorker {
  return new Worker(new URL('./delivery-worker.js', import.meta.url), { type: 'module' });
}
