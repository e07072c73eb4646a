import { serve } from '#platform';

/** What a worker answers a job with. */
export interface JobAnswer<Result> {
  readonly result: Result;
  /** Buffers within `result` that are handed over instead of copied. */
  readonly transfer?: ArrayBuffer[];
}

/** What crosses the boundary in answer to a job. */
export type AnswerMessage =
  | { readonly isDone: true; readonly result: unknown }
  | { readonly isDone: false; readonly message: string };

/**
 * Called once in the script of a worker: answers each job, in the order in which they come. What `handler` throws, and a result that cannot be handed over, fails
 * the job with its message alone; an error that the caller should see whole is better a part of the result.
 */
export function serveJobs<Job, Result>(handler: (job: Job) => JobAnswer<Result>): void {
  serve((job, post) => {
    try {
      const { result, transfer = [] } = handler(job as Job);
      const done: AnswerMessage = { isDone: true, result };
      post(done, transfer);
    } catch (thrown) {
      const failed: AnswerMessage = {
        isDone: false,
        message: thrown instanceof Error ? thrown.message : String(thrown),
      };
      post(failed, []);
    }
  });
}
