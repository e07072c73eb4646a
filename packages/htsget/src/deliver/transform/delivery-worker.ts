import { serveSessions } from '@htskit/workers';
import { openTransform, type TransformDescription, type TransformJob, type TransformResult } from './transform.js';

serveSessions<TransformDescription, TransformJob, TransformResult>((description) => {
  const run = openTransform(description);
  return (job) => {
    const result = run(job);
    return { result, transfer: [result.output.buffer] };
  };
});
