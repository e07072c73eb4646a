import type { SpawnedWorker } from '@htskit/io/workers';

/** Starts a worker in the form that bundlers detect. */
export function spawnRecordWorker(): SpawnedWorker {
  return new Worker(new URL('./record-worker.js', import.meta.url), { type: 'module' });
}
