/** Written as bundlers look for it. */
export function spawnDigestWorker(): Worker {
  return new Worker(new URL('./digest-worker.js', import.meta.url), { type: 'module' });
}
