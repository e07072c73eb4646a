// Measures the event loop of the process that imports it: answers each message of its parent with the longest stall since the
// last one in milliseconds, `elapsed`, and the most processor time that its thread used between two turns, `cpu`. Unlike the
// former, the latter does not depend on what else the machine does. Undefined except on Linux. See stalls.mjs.

import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  let mostUsed = 0;
  if (process.platform === 'linux') {
    let before = threadNanoseconds();
    setInterval(() => {
      const now = threadNanoseconds();
      mostUsed = Math.max(mostUsed, now - before);
      before = now;
    }, 1).unref();
  }
  process.on('message', () => {
    process.send({ elapsed: delays.max / 1e6, cpu: process.platform === 'linux' ? mostUsed / 1e6 : undefined });
    delays.reset();
    mostUsed = 0;
  });
}

/** The time for which this thread has run (proc(5), /proc/pid/schedstat). */
function threadNanoseconds() {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]);
}
