/** Starts a worker in the form that bundlers detect. */
export function spawnCodecWorker(): Worker {
  return new Worker(new URL('./codec-worker.js', import.meta.url), { type: 'module' });
}
