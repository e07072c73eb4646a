import { type JobAnswer, serveJobs } from './serve-jobs.js';

/** Does the jobs of one session in order. It keeps the state of the session between them. */
export type SessionHandler<Job, Result> = (job: Job) => JobAnswer<Result> | Promise<JobAnswer<Result>>;

/** A message of a `SessionPool` to a worker. The first one of a session has `start`. */
export interface SessionMessage<Start, Job> {
  readonly id: number;
  readonly start?: Start;
  /** Without a job, the message only ends the session. */
  readonly job?: Job;
  readonly isLast: boolean;
}

/**
 * Serves the sessions of a `SessionPool` in a worker, whose script calls it once. `open` creates the handler of a session from
 * the value that `SessionPool.open` was given. A session whose handler throws is ended, with `JOB_FAILED`.
 *
 * @example
 * serveSessions<number, number, number>((start) => {
 *   let sum = start;
 *   return (value) => ({ result: (sum += value) });
 * });
 */
export function serveSessions<Start, Job, Result>(open: (start: Start) => SessionHandler<Job, Result>): void {
  const handlers = new Map<number, SessionHandler<Job, Result>>();
  serveJobs<SessionMessage<Start, Job>, Result | undefined>(async (message) => {
    const { id, job, isLast } = message;
    const handler = 'start' in message ? open(message.start as Start) : handlers.get(id);
    // A failing handler ends its session.
    handlers.delete(id);
    if (handler === undefined || job === undefined) return { result: undefined };
    const answer = await handler(job);
    if (!isLast) handlers.set(id, handler);
    return answer;
  });
}
