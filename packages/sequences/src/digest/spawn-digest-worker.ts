/** Starts a worker in the form that bundlers recognise. */
export function spawnDigestWorker(): Worker {
  return new Worker(new URL('./digest-worker.js', import.meta.url), { type: 'module' });
}
