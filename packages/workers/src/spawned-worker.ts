/** The methods that a `Worker` of node:worker_threads and a `Worker` of a browser have in common. */
export interface SpawnedWorker {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  terminate(): unknown;
}

/** Listeners for the events of a worker. */
export interface WorkerEvents {
  /** Called with each message of the worker. */
  readonly onAnswer: (message: unknown) => void;
  /** Called one or more times when the worker has died. The first call has the cause, if one is known. */
  readonly onEnd: (cause: unknown) => void;
}
