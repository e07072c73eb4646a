import { readlinkSync } from 'node:fs';
import { getPriority } from 'node:os';
import { lowerPriority, serveJobs } from '../../dist/workers/index.js';

lowerPriority();
serveJobs(() => ({ result: getPriority(Number(readlinkSync('/proc/thread-self').replace(/.*\//, ''))) }));
