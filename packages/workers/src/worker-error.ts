/** `JOB_FAILED`: the handler threw. `ENDED`: the worker died or was closed before it answered. */
export type WorkerErrorCode = 'JOB_FAILED' | 'ENDED';

/** Why a job has no result. */
export class WorkerError extends Error {
  override readonly name = 'WorkerError';
  readonly code: WorkerErrorCode;

  constructor(code: WorkerErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
