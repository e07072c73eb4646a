// The worker script of the README's example, which runs the built package.
import { serveJobs } from '../../dist/workers/index.js';

serveJobs((value) => ({ result: value * value }));
