import { serve } from '#platform';

/** The answer of a worker to a job. */
export interface JobAnswer<Result> {
  readonly result: Result;
  /** Buffers within `result` to transfer instead of copying them. */
  readonly transfer?: ArrayBuffer[];
}

/** The message that contains the answer to a job. */
export type AnswerMessage =
  | { readonly isDone: true; readonly result: unknown }
  | { readonly isDone: false; readonly message: string };

/**
 * Answers the jobs that arrive in a worker, one after another. The script of a worker calls it once. If `handler` throws or its
 * result cannot be cloned, the job fails with the message alone: return an error as part of the result to preserve its
 * properties.
 *
 * @example
 * serveJobs<number, number>((value) => ({ result: value * value }));
 */
export function serveJobs<Job, Result>(handler: (job: Job) => JobAnswer<Result> | Promise<JobAnswer<Result>>): void {
  const answer = async (
    job: unknown,
    post: (message: AnswerMessage, transfer: ArrayBuffer[]) => void,
  ): Promise<void> => {
    try {
      const { result, transfer = [] } = await handler(job as Job);
      const done: AnswerMessage = { isDone: true, result };
      post(done, transfer);
    } catch (error) {
      const failed: AnswerMessage = {
        isDone: false,
        message: error instanceof Error ? error.message : String(error),
      };
      post(failed, []);
    }
  };
  // The other side takes answers in the order of the jobs, so the next job waits for the answer to the last one.
  let last = Promise.resolve();
  serve((job, post) => {
    last = last.then(() => answer(job, post));
  });
}
