import { serveSessions } from '@htskit/workers';
import { openTransform, type TransformDescription, type TransformJob, type TransformResult } from './transform.js';

serveSessions<TransformDescription, TransformJob, TransformResult>((description) => {
  const run = openTransform(description);
  return async (job) => {
    const result = await run(job);
    return { result, transfer: [result.output.buffer] };
  };
});
