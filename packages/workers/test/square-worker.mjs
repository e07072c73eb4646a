// The worker script of the README's example, which runs the built package.
import { serveJobs } from '../dist/index.js';

serveJobs((value) => ({ result: value * value }));
