import { JobWorker } from '@htskit/workers';
import { spawnDigestWorker } from '#spawn-digest-worker';
import { type DigestJob, type DigestJobResult, DigestJobs } from './digest-job.js';

/** Runs digest jobs in order, on a worker or on the caller's thread. */
export interface DigestLane {
  /** Bytes handed to the lane so far, counted once per algorithm; balances the lanes. */
  load: number;
  /** The part of `load` that is hashed with MD5. */
  md5Load: number;
  readonly hasEnded: boolean;
  run(job: DigestJob, transfer: ArrayBuffer[]): Promise<DigestJobResult>;
  close(): Promise<void>;
}

export function createWorkerLane(): DigestLane {
  const worker = new JobWorker<DigestJob, DigestJobResult>(spawnDigestWorker());
  return {
    load: 0,
    md5Load: 0,
    get hasEnded() {
      return worker.hasEnded;
    },
    run: (job, transfer) => worker.run(job, transfer),
    close: () => worker.close(),
  };
}

/** Creates a lane on the caller's thread. */
export function createLocalLane(): DigestLane {
  const jobs = new DigestJobs();
  return { load: 0, md5Load: 0, hasEnded: false, run: async (job) => jobs.run(job), close: () => Promise.resolve() };
}
