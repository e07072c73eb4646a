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
 * Called once in the script of a worker: answers each job, in the order in which they come. What `handler` throws fails
 * the job with its message alone; an error that the caller should see whole is better a part of the result.
 */
export function serveJobs<Job, Result>(handler: (job: Job) => JobAnswer<Result>): void {
  serve((job, post) => {
    let answer: JobAnswer<Result>;
    try {
      answer = handler(job as Job);
    } catch (thrown) {
      const failed: AnswerMessage = {
        isDone: false,
        message: thrown instanceof Error ? thrown.message : String(thrown),
      };
      return post(failed, []);
    }
    const done: AnswerMessage = { isDone: true, result: answer.result };
    post(done, answer.transfer ?? []);
  });
}
