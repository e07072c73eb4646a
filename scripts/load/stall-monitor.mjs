// Measures the event loop of the process that imports it: answers each message of its parent with the longest stall since the
// last one, in milliseconds. See stalls.mjs.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  process.on('message', () => {
    process.send(delays.max / 1e6);
    delays.reset();
  });
}
