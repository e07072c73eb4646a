export { type BamFile, type ReadBamFileOptions, readBamFile } from './bam-file.js';
export { type BamPlanInput, planBam } from './bam-plan.js';
export { createHtsgetHandler } from './handler.js';
export { DEFAULT_LIMITS, type HtsgetLimits, type HtsgetOptions, type StoredFile } from './options.js';
export type { CutSegment, InlineSegment, Plan, Precision, ReferenceInterval, Segment } from './plan.js';
export { streamPlan } from './segment-stream.js';
export { type TicketOptions, toTicket } from './ticket.js';
