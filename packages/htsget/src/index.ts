export type { CramReferenceRequest, CramReferenceSource } from '@htskit/formats';
export type { PlainResponse } from '@htskit/http';
export type { ByteRange, ByteSource, ReadOptions, SourceStat, StatOptions } from '@htskit/io';
export {
  type Authority,
  type Datatype,
  type FieldName,
  HtsgetError,
  type HtsgetErrorBody,
  type HtsgetErrorCode,
  type HtsgetErrorOptions,
  type HtsgetFormat,
  type HtsgetQuery,
  type HtsgetRegion,
  type ServiceInfoOptions,
  type Ticket,
  type TicketBlock,
} from '@htskit/protocol';
export type { AuthorizeInput, Permission } from './access/permission.js';
export { type StreamPlanOptions, streamPlan } from './deliver/segment-stream.js';
export type { ConvertingProgram } from './file/program-lines.js';
export type { RecordHeader, RecordSelection } from './file/record-format.js';
export type { BlockLocation, Locate, LocateContext, StoredFile, StoredFormat } from './file/stored-file.js';
export { createHtsgetHandler, createPlainHtsgetHandler, type PlainHtsgetHandler } from './handler.js';
export type { AccessEvent, BlockEvent, CacheEvent, HtsgetEvent, ObjectName, TicketEvent } from './hooks.js';
export type { StoredIndex } from './load/file-format.js';
export { FileLoader, type FileLoaderOptions } from './load/file-loader.js';
export { DEFAULT_LIMITS, type HtsgetLimits, type HtsgetOptions, type TruncatedPolicy } from './options.js';
export { type HtsgetPath, parseHtsgetPath } from './path.js';
export type {
  Conversion,
  CramConversion,
  CutSegment,
  HeaderSegment,
  InlineSegment,
  Plan,
  Precision,
  RangeSegment,
  ReferenceInterval,
  Rewriting,
  Segment,
  StoredSegment,
  VariantConversion,
} from './plan/plan.js';
export type { PlanQuery } from './plan/reference-intervals.js';
export { type FilePlan, type PlanFileOptions, planFile } from './plan-file.js';
export { DeliveryWorkers, type DeliveryWorkersOptions } from './transform/delivery-workers.js';
export type { RecordTransformOptions } from './transform/record-transform.js';
export type {
  TransformDescription,
  TransformJob,
  TransformPlace,
  TransformResult,
  TransformSession,
  TransformWorkers,
} from './transform/transform.js';
