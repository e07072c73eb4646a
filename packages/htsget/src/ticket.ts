import { dataUri, type Ticket, type TicketBlock } from '@htskit/protocol';
import { type CutSegment, MAX_INTERVALS, type Plan, type Segment } from './plan.js';

/** Segments of one block URL, which with them stays under 8 kB: the most that many proxies take. */
const MAX_SPANS_PER_URL = 8;

export interface TicketOptions {
  /** Compressed bytes up to which neighbouring segments share one URL. */
  readonly blockBytes: number;
  /** The URL that serves some segments of the plan. */
  blockUrl(segments: readonly CutSegment[]): string;
}

/**
 * Renders a plan as a ticket that every known client reads: a data URI for what is already here, one URL for each run
 * of neighbouring segments, `headers` on every URL (htsjdk fails without), a class on every block.
 */
export function toTicket(plan: Plan, options: TicketOptions): Ticket {
  const urls = groupSegments(plan.segments, options.blockBytes).map((group) => toBlock(group, options));
  return { htsget: { format: plan.format, urls } };
}

type SegmentGroup = Exclude<Segment, CutSegment> | readonly [CutSegment, ...CutSegment[]];

function toBlock(group: SegmentGroup, options: TicketOptions): TicketBlock {
  return 'kind' in group
    ? { url: dataUri(group.bytes), class: group.class }
    : { url: options.blockUrl(group), headers: {}, class: group[0].class };
}

function groupSegments(segments: readonly Segment[], blockBytes: number): SegmentGroup[] {
  const groups: (Exclude<Segment, CutSegment> | [CutSegment, ...CutSegment[]])[] = [];
  for (const segment of segments) {
    const last = groups.at(-1);
    if (segment.kind === 'inline') groups.push(segment);
    else if (Array.isArray(last) && joins(last, segment, blockBytes)) last.push(segment);
    else groups.push([segment]);
  }
  return groups;
}

function joins(group: readonly [CutSegment, ...CutSegment[]], next: CutSegment, blockBytes: number): boolean {
  const joined = [...group, next];
  const byteLength = joined.reduce((sum, { start, end }) => sum + end.coffset - start.coffset, 0);
  const intervalCount = joined.reduce((sum, { intervals = [] }) => sum + intervals.length, 0);
  const isShort = joined.length <= MAX_SPANS_PER_URL && intervalCount <= MAX_INTERVALS;
  return isShort && group[0].class === next.class && byteLength <= blockBytes;
}
