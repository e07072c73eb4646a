/** Written as bundlers look for it. */
export function spawnCodecWorker(): Worker {
  return new Worker(new URL('./codec-worker.js', import.meta.url), { type: 'module' });
}
