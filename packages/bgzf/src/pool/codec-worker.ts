import { serveJobs } from '@htskit/io/workers';
import { type CodecJob, type CodecJobResult, runCodecJob } from './codec-job.js';

serveJobs<CodecJob, CodecJobResult>((job) => ({
  result: runCodecJob(job),
  transfer: [job.slot.input, job.slot.output],
}));
