/** Starts a worker in the form that bundlers detect. */
export function spawnDeliveryWorker(): Worker {
  return new Worker(new URL('./delivery-worker.js', import.meta.url), { type: 'module' });
}
