import { JobWorker } from '@htskit/workers';
import { spawnDigestWorker } from '#spawn-digest-worker';
import { type DigestJob, type DigestJobResult, DigestJobs } from './digest-job.js';

/** A worker, or what stands for one. Jobs are done in the order in which they are given. */
export interface DigestLane {
  /** Bytes that it was given to hash so far, and those of MD5 among them, to share the work out evenly. */
  load: number;
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

/** On the caller's thread. */
export function createLocalLane(): DigestLane {
  const jobs = new DigestJobs();
  return { load: 0, md5Load: 0, hasEnded: false, run: async (job) => jobs.run(job), close: () => Promise.resolve() };
}
