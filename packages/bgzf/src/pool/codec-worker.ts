import { serveJobs } from '@htskit/workers';
import { type CodecJob, type CodecJobResult, runCodecJob } from './codec-job.js';

serveJobs<CodecJob, CodecJobResult>((job) => {
  const { input, output } = job.slot;
  const transfer = [input, output].filter((buffer) => buffer instanceof ArrayBuffer);
  return { result: runCodecJob(job), transfer };
});
