// The script of the README's example, on what is built.
import { serveJobs } from '../dist/index.js';

serveJobs((value) => ({ result: value * value }));
