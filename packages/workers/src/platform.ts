import type { SpawnedWorker, WorkerEvents } from './spawned-worker.js';

/** Whether workers can be started: not in Cloudflare Workers, for one. */
export const hasWorkers: boolean = typeof Worker === 'function';

/** Processors that the page may use, as far as the browser tells. */
export function availableThreads(): number {
  return globalThis.navigator?.hardwareConcurrency ?? 1;
}

export function listen(worker: SpawnedWorker, { onAnswer, onEnd }: WorkerEvents): void {
  const target = worker as unknown as Worker;
  target.addEventListener('message', (event: MessageEvent<unknown>) => onAnswer(event.data));
  target.addEventListener('messageerror', onEnd);
  target.addEventListener('error', (event) => onEnd(event.error ?? new Error(event.message)));
}

/** Pages are not kept alive by their workers. */
export function setBusy(): void {}

export function serve(answer: (job: unknown, post: (message: unknown, transfer: ArrayBuffer[]) => void) => void): void {
  // The scope of a worker, whose postMessage takes what is transferred where that of a window takes an origin.
  const scope = globalThis as unknown as Pick<Worker, 'postMessage' | 'addEventListener'>;
  scope.addEventListener('message', (event: MessageEvent<unknown>) => {
    answer(event.data, (message, transfer) => scope.postMessage(message, transfer));
  });
}
