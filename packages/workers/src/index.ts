export { availableThreads, hasWorkers } from '#platform';
export { type JobAnswer, serveJobs } from './serve-jobs.js';
export {
  JobWorker,
  type SpawnedWorker,
  WorkerError,
  type WorkerErrorCode,
  WorkerPool,
  type WorkerPoolOptions,
} from './worker-pool.js';
