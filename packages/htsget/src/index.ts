export { type BgzfFile, type ReadFileOptions, readBgzfFile } from './bgzf-file.js';
export { type BgzfPlanInput, planBgzf } from './bgzf-plan.js';
export { peekBlockToken } from './block-claim.js';
export { type BuildIndexOptions, buildIndex } from './build-index.js';
export { type CramFile, readCramFile } from './cram-file.js';
export { type CramPlanInput, planCram } from './cram-plan.js';
export type { BlockEvent, CacheEvent, HtsgetEvent, TicketEvent } from './event.js';
export { createHtsgetHandler, createPlainHtsgetHandler } from './handler.js';
export type { Locate, LocateContext, LocatedSegment, Location } from './locate.js';
export { DEFAULT_LIMITS, type HtsgetLimits, type HtsgetOptions, type ObjectName, type StoredFile } from './options.js';
export type { AuthorizeInput, Permission } from './permission.js';
export type {
  CutSegment,
  InlineSegment,
  Plan,
  Precision,
  RangeSegment,
  ReferenceInterval,
  Segment,
  StoredFormat,
  StoredSegment,
} from './plan.js';
export type { BgzfFormat, RecordHeader } from './record-format.js';
export { streamPlan } from './segment-stream.js';
export { splitLongSegments } from './split-segments.js';
export { type TicketOptions, type TicketPlan, toTicket } from './ticket.js';
