import { readlinkSync } from 'node:fs';
import { availableParallelism, getPriority, setPriority } from 'node:os';
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

/**
 * The niceness of a worker in the background (sched(7)). Beside it, the main thread gets nine tenths of a processor that both
 * want, and the worker gets all that is left.
 */
const BACKGROUND_NICENESS = 10;

/** Lowers the priority of the thread that calls it. Only Linux has priorities of threads; elsewhere nothing happens. */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    // The link leads to PID/task/TID. A thread has a priority of its own, which is set by its id (setpriority(2)).
    const thread = Number(readlinkSync('/proc/thread-self').replace(/.*\//, ''));
    if (getPriority(thread) < BACKGROUND_NICENESS) setPriority(thread, BACKGROUND_NICENESS);
  } catch {
    // A sandbox may refuse both. The worker is as useful without.
  }
}

/** Calls `onMessage` for each message that arrives in a worker. Returns the function that posts messages of the worker. */
export function serve(onMessage: (message: unknown) => void): (message: unknown, transfer: ArrayBuffer[]) => void {
  const port = parentPort;
  if (port === null) throw new TypeError('serveJobs() must be called in a worker, not on the main thread');
  port.on('message', onMessage);
  return (message, transfer) => port.postMessage(message, transfer);
}
