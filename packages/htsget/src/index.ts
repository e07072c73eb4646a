export type { CramReferenceRequest, CramReferenceSource } from '@htskit/formats';
export type { ByteSource } from '@htskit/io';
export {
  type Authority,
  type Datatype,
  HtsgetError,
  type HtsgetFormat,
  type HtsgetQuery,
  type HtsgetRegion,
  type Permission,
  type PermittedSamples,
  type ServiceInfoOptions,
  type Ticket,
} from '@htskit/protocol';
export type { AuthorizeInput } from './access/permission.js';
export { type StreamPlanOptions, streamPlan } from './deliver/segment-stream.js';
export type { BuiltIndexes } from './file/built-indexes.js';
export type { BlockLocation, Locate, LocateContext, StoredFile, StoredFormat } from './file/stored-file.js';
export { createHtsgetHandler, createPlainHtsgetHandler, type PlainHtsgetHandler } from './handler.js';
export type { AccessEvent, BlockEvent, CacheEvent, HtsgetEvent, TicketEvent } from './hooks.js';
export { DEFAULT_LIMITS, type HtsgetLimits } from './limits.js';
export { FileLoader, type FileLoaderOptions } from './load/file-loader.js';
export type { HtsgetOptions, ResolveContext } from './options.js';
export type { Plan, Precision, Segment } from './plan/plan.js';
export { type FilePlan, type PlanFileOptions, planFile } from './plan-file.js';
export { DeliveryWorkers } from './transform/delivery-workers.js';
