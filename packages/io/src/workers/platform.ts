import type { SpawnedWorker, WorkerEvents } from './worker-pool.js';

/** Whether the runtime can start workers. Cloudflare Workers, for example, cannot. */
export const hasWorkers: boolean = typeof Worker === 'function';

/** Returns the number of processors that the browser reports, or 1. */
export function availableThreads(): number {
  return globalThis.navigator?.hardwareConcurrency ?? 1;
}

/** Forwards the events of a worker. */
export function listen(worker: SpawnedWorker, { onAnswer, onEnd }: WorkerEvents): void {
  const target = worker as unknown as Worker;
  target.addEventListener('message', (event: MessageEvent<unknown>) => onAnswer(event.data));
  target.addEventListener('messageerror', onEnd);
  target.addEventListener('error', (event) => onEnd(event.error ?? new Error(event.message)));
}

/** Does nothing: workers do not keep a page alive. */
export function setBusy(): void {}

/** Does nothing: browsers have no priorities of workers. */
export function lowerPriority(): void {}

/** Calls `onMessage` for each message that arrives in a worker. Returns the function that posts messages of the worker. */
export function serve(onMessage: (message: unknown) => void): (message: unknown, transfer: ArrayBuffer[]) => void {
  // The scope of a worker: its postMessage takes a list to transfer, unlike that of a window.
  const scope = globalThis as unknown as Pick<Worker, 'postMessage' | 'addEventListener'>;
  scope.addEventListener('message', (event: MessageEvent<unknown>) => onMessage(event.data));
  return (message, transfer) => scope.postMessage(message, transfer);
}
