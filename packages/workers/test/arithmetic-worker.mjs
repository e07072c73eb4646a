// A worker for the tests. It runs what is built, as users' workers do.
import { serveJobs } from '../dist/index.js';

serveJobs(({ operation, value }) => {
  if (operation === 'double') return { result: value * 2 };
  if (operation === 'give back') return { result: value, transfer: [value] };
  if (operation === 'throw text') throw value;
  if (operation === 'die') {
    setTimeout(() => {
      throw new Error('died');
    });
    for (;;) if (Date.now() > value) return { result: 'too late' };
  }
  throw new RangeError(`cannot ${operation}`);
});
