import { serveJobs } from '@htskit/io/workers';

serveJobs((value) => {
  if (typeof value !== 'number') throw new TypeError('only numbers have squares');
  return { result: value * value };
});
