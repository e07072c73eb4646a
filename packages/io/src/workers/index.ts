export { availableThreads, hasWorkers, lowerPriority } from '#platform';
export { FairQueue } from './fair-queue.js';
export { type Ask, type JobAnswer, serveJobs } from './serve-jobs.js';
export { type SessionHandler, serveSessions } from './serve-sessions.js';
export {
  type SessionJobOptions,
  type SessionOptions,
  type SessionPlace,
  SessionPool,
  type SessionPoolOptions,
  type WorkerSession,
} from './session-pool.js';
export {
  type JobOptions,
  JobWorker,
  type PoolJobOptions,
  type SpawnedWorker,
  WorkerError,
  type WorkerErrorCode,
  WorkerPool,
  type WorkerPoolOptions,
} from './worker-pool.js';
