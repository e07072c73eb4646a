import { serve } from '#platform';

/** The answer of a worker to a job. */
export interface JobAnswer<Result> {
  readonly result: Result;
  /** Buffers within `result` to transfer instead of copying them. */
  readonly transfer?: ArrayBuffer[];
}

/** Asks the thread that posted the job, and returns its reply. Rejects if that thread could not answer. */
export type Ask<Question, Reply> = (question: Question) => Promise<Reply>;

/** A message to a worker: a job, or the reply to its question of this number. */
export type WorkerMessage =
  | { readonly kind: 'job'; readonly job: unknown }
  | { readonly kind: 'reply'; readonly question: number; readonly outcome: Outcome };

/** A message of a worker: it has started, it asks while it does a job, or it has done one. */
export type AnswerMessage =
  | { readonly kind: 'started' }
  | { readonly kind: 'question'; readonly number: number; readonly question: unknown }
  | { readonly kind: 'answer'; readonly outcome: Outcome };

/** A value, or the message of an error. */
type Outcome =
  | { readonly isDone: true; readonly result: unknown }
  | { readonly isDone: false; readonly message: string };

/** Returns the outcome of a function that threw. */
export function toFailure(error: unknown): Outcome {
  return { isDone: false, message: error instanceof Error ? error.message : String(error) };
}

/**
 * Answers the jobs that arrive in a worker, one after another. The script of a worker calls it once. If `handler` throws or its
 * result cannot be cloned, the job fails with the message alone: return an error as part of the result to preserve its
 * properties. `ask` reaches the function that was given to `JobWorker.run` with the job.
 *
 * @example
 * serveJobs<number, number>((value) => ({ result: value * value }));
 */
export function serveJobs<Job, Result, Question = never, Reply = never>(
  handler: (job: Job, ask: Ask<Question, Reply>) => JobAnswer<Result> | Promise<JobAnswer<Result>>,
): void {
  const asked = new Map<number, (outcome: Outcome) => void>();
  let questions = 0;
  const ask: Ask<Question, Reply> = (question) =>
    new Promise((resolve, reject) => {
      const number = questions++;
      asked.set(number, (outcome) => {
        asked.delete(number);
        if (outcome.isDone) resolve(outcome.result as Reply);
        else reject(new Error(outcome.message));
      });
      post({ kind: 'question', number, question });
    });
  const answer = async (job: unknown): Promise<void> => {
    try {
      const { result, transfer = [] } = await handler(job as Job, ask);
      post({ kind: 'answer', outcome: { isDone: true, result } }, transfer);
    } catch (error) {
      post({ kind: 'answer', outcome: toFailure(error) });
    }
  };
  // The other side takes answers in the order of the jobs, so the next job waits for the answer to the last one.
  let last = Promise.resolve();
  const send = serve((data) => {
    const message = data as WorkerMessage;
    if (message.kind === 'reply') asked.get(message.question)?.(message.outcome);
    else last = last.then(() => answer(message.job));
  });
  function post(message: AnswerMessage, transfer: ArrayBuffer[] = []): void {
    send(message, transfer);
  }
  post({ kind: 'started' });
}
