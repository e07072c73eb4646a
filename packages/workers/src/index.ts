export { availableThreads, hasWorkers } from '#platform';
export { JobWorker, WorkerError, type WorkerErrorCode } from './job-worker.js';
export { type JobAnswer, serveJobs } from './serve-jobs.js';
export type { SpawnedWorker } from './spawned-worker.js';
export { WorkerPool, type WorkerPoolOptions } from './worker-pool.js';
