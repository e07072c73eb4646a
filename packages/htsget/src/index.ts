export type { CramReferenceRequest, CramReferenceSource } from '@htskit/formats';
export type { PlainResponse } from '@htskit/http';
export type { ByteSource } from '@htskit/io';
export {
  type Authority,
  type Datatype,
  HtsgetError,
  type HtsgetErrorCode,
  type HtsgetFormat,
  type HtsgetQuery,
  type HtsgetRegion,
  type ServiceInfoOptions,
  type Ticket,
} from '@htskit/protocol';
export type { AuthorizeInput, Permission } from './access/permission.js';
export { type StreamPlanOptions, streamPlan } from './deliver/segment-stream.js';
export type { ConvertingProgram } from './file/program-lines.js';
export type { BlockLocation, Locate, LocateContext, StoredFile, StoredFormat } from './file/stored-file.js';
export { createHtsgetHandler, createPlainHtsgetHandler, type PlainHtsgetHandler } from './handler.js';
export type { AccessEvent, BlockEvent, CacheEvent, HtsgetEvent, ObjectName, TicketEvent } from './hooks.js';
export { FileLoader, type FileLoaderOptions } from './load/file-loader.js';
export { DEFAULT_LIMITS, type HtsgetLimits, type HtsgetOptions, type TruncatedPolicy } from './options.js';
export { type HtsgetPath, parseHtsgetPath } from './path.js';
export type {
  Plan,
  Precision,
  Segment,
} from './plan/plan.js';
export type { PlanQuery } from './plan/reference-intervals.js';
export { type FilePlan, type PlanFileOptions, planFile } from './plan-file.js';
export { DeliveryWorkers, type DeliveryWorkersOptions } from './transform/delivery-workers.js';
