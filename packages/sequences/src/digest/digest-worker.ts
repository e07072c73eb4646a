import { serveJobs } from '@htskit/io/workers';
import { type DigestJob, type DigestJobResult, DigestJobs } from './digest-job.js';

const jobs = new DigestJobs();

serveJobs<DigestJob, DigestJobResult>((job) => ({ result: jobs.run(job) }));
