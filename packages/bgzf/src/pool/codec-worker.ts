import { serveJobs } from '@htskit/io/workers';
import { type CodecJob, type CodecJobResult, runCodecJob } from './codec-job.js';

serveJobs<CodecJob, CodecJobResult>((job) => {
  const result = runCodecJob(job);
  return { result, transfer: [result.slot.input, result.slot.output] };
});
