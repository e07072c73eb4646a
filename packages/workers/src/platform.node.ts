import { availableParallelism } from 'node:os';
import { parentPort, type Worker } from 'node:worker_threads';
import type { SpawnedWorker, WorkerEvents } from './spawned-worker.js';

/** Whether workers can be started. */
export const hasWorkers = true;

/** Processors that this process may use. */
export function availableThreads(): number {
  return availableParallelism();
}

export function listen(worker: SpawnedWorker, { onAnswer, onEnd }: WorkerEvents): void {
  const thread = worker as unknown as Worker;
  thread.on('message', onAnswer);
  thread.on('messageerror', onEnd);
  thread.on('error', onEnd);
  thread.on('exit', () => onEnd(undefined));
  thread.unref();
}

/** An idle worker does not keep the process alive, one that has jobs does. */
export function setBusy(worker: SpawnedWorker, isBusy: boolean): void {
  const thread = worker as unknown as Worker;
  if (isBusy) thread.ref();
  else thread.unref();
}

export function serve(answer: (job: unknown, post: (message: unknown, transfer: ArrayBuffer[]) => void) => void): void {
  const port = parentPort;
  if (port === null) throw new TypeError('jobs are served in a worker, not in the main thread');
  port.on('message', (job: unknown) => answer(job, (message, transfer) => port.postMessage(message, transfer)));
}
