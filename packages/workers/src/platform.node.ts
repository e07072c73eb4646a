import { availableParallelism } from 'node:os';
import { parentPort, type Worker } from 'node:worker_threads';
import type { SpawnedWorker, WorkerEvents } from './worker-pool.js';

/** Whether the runtime can start workers. */
export const hasWorkers = true;

/** Returns the number of processors that this process may use. */
export function availableThreads(): number {
  return availableParallelism();
}

/** Forwards the events of a worker, which does not keep the process alive. */
export function listen(worker: SpawnedWorker, { onAnswer, onEnd }: WorkerEvents): void {
  const thread = worker as unknown as Worker;
  thread.on('message', onAnswer);
  thread.on('messageerror', onEnd);
  thread.on('error', onEnd);
  thread.on('exit', () => onEnd(undefined));
  thread.unref();
}

/** Keeps the process alive while the worker has jobs, and not while it is idle. */
export function setBusy(worker: SpawnedWorker, isBusy: boolean): void {
  const thread = worker as unknown as Worker;
  if (isBusy) thread.ref();
  else thread.unref();
}

/** Calls `answer` for each job that arrives in a worker. */
export function serve(answer: (job: unknown, post: (message: unknown, transfer: ArrayBuffer[]) => void) => void): void {
  const port = parentPort;
  if (port === null) throw new TypeError('serveJobs() must be called in a worker, not on the main thread');
  port.on('message', (job: unknown) => answer(job, (message, transfer) => port.postMessage(message, transfer)));
}
