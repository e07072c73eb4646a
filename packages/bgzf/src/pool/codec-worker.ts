import { serveJobs } from '@htskit/io/workers';
import { type CodecJob, runCodecJob } from './codec-job.js';
import type { CodecJobResult } from './inflate-job.js';

serveJobs<CodecJob, CodecJobResult>((job) => {
  const result = runCodecJob(job);
  return { result, transfer: [result.slot.input, result.slot.output] };
});
