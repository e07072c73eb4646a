import { lowerPriority, serveSessions } from '@htskit/io/workers';
import { openTransform, type TransformDescription, type TransformJob, type TransformResult } from './transform.js';

// The event loop reads and sends bytes for all clients, so it must not wait for a processor that a transform keeps busy.
lowerPriority();
serveSessions<TransformDescription, TransformJob, TransformResult>((description) => {
  const run = openTransform(description);
  return async (job) => {
    const result = await run(job);
    return { result, transfer: [result.output.buffer] };
  };
});
