import { serveJobs } from '@htskit/workers';
import { type CodecJob, type CodecJobResult, runCodecJob } from './codec-job.js';
import { ownedBuffers } from './slot.js';

serveJobs<CodecJob, CodecJobResult>((job) => ({ result: runCodecJob(job), transfer: ownedBuffers(job.slot) }));
