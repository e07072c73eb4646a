import { hasWorkers, WorkerPool } from '@htskit/workers';
import { spawnCodecWorker } from '#spawn-codec-worker';
import { type CodecJob, type CodecJobResult, runCodecJob } from './codec-job.js';

/** Who does the jobs of a pool. */
export interface CodecRunner {
  /** Jobs that it does at the same time. */
  readonly threads: number;
  run(job: CodecJob): Promise<CodecJobResult>;
  close(): Promise<void>;
}

/** Workers, or the caller's thread where the runtime has none. Throws RangeError for no positive whole number. */
export function createWorkerRunner(threads: number): CodecRunner {
  const workers = new WorkerPool<CodecJob, CodecJobResult>({ spawn: spawnCodecWorker, size: threads });
  return {
    threads,
    run: async (job) =>
      hasWorkers && !job.isOnly ? workers.run(job, [job.slot.input, job.slot.output]) : runCodecJob(job),
    close: () => workers.close(),
  };
}
