/** What a `Worker` of node:worker_threads and one of a browser have in common. */
export interface SpawnedWorker {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  terminate(): unknown;
}

/** What happens to a worker. */
export interface WorkerEvents {
  readonly onAnswer: (message: unknown) => void;
  /** It answers no more. Called once or more; the first call tells the cause, if there is one. */
  readonly onEnd: (cause: unknown) => void;
}
