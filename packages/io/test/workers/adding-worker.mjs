// A worker for the tests of sessions: each session adds its jobs to a sum. It runs the built package.
import { serveSessions } from '../../dist/workers/index.js';

serveSessions((/** @type {number} */ start) => {
  let sum = start;
  return (/** @type {number | SharedArrayBuffer | ArrayBuffer} */ job) => {
    if (job instanceof ArrayBuffer) return { result: job, transfer: [job] };
    if (job instanceof SharedArrayBuffer) {
      // Blocks the worker until the test lets it continue.
      Atomics.wait(new Int32Array(job), 0, 0);
      return { result: sum };
    }
    if (job < 0) throw new RangeError('cannot add a negative number');
    sum += job;
    return { result: sum };
  };
});
