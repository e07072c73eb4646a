import { dataUri, type Ticket, type TicketBlock } from '@htskit/protocol';
import { md5 } from '@noble/hashes/legacy.js';
import type { LocatedSegment } from './locate.js';
import { packedLength } from './packed-intervals.js';
import { type InlineSegment, MAX_INTERVAL_CHARACTERS, type Plan, type Segment, type StoredSegment } from './plan.js';

/** Segments of one block URL, which with them stays under 8 kB: the most that many proxies take. */
const MAX_SPANS_PER_URL = 8;

export interface TicketOptions {
  /** Compressed bytes up to which neighbouring segments share one URL. */
  readonly blockBytes: number;
  /** The URL that serves some segments of the plan. */
  blockUrl(segments: readonly StoredSegment[]): string;
}

/** A plan of which the store itself may send some parts. */
export interface TicketPlan extends Pick<Plan, 'format' | 'rewriting'> {
  readonly segments: readonly (Segment | LocatedSegment)[];
}

/**
 * Renders a plan as a ticket that every known client reads: a data URI for what is already here, one URL for each run
 * of neighbouring segments, `headers` on every URL (htsjdk fails without), a class on every block.
 */
export function toTicket(plan: TicketPlan, options: TicketOptions): Ticket {
  const urls = groupSegments(plan.segments, options.blockBytes).map((group) => toBlock(group, options));
  const digest = inlineMd5(plan.segments);
  return { htsget: { format: plan.format, urls, ...(digest !== undefined && { md5: digest }) } };
}

/** The MD5 of the answer where all of it is here already. */
function inlineMd5(segments: TicketPlan['segments']): string | undefined {
  const inline = segments.filter((segment) => segment.kind === 'inline');
  if (inline.length < segments.length) return undefined;
  const hash = md5.create();
  for (const { bytes } of inline) hash.update(bytes);
  return Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

type SegmentGroup = InlineSegment | LocatedSegment | readonly [StoredSegment, ...StoredSegment[]];

function toBlock(group: SegmentGroup, options: TicketOptions): TicketBlock {
  if (!('kind' in group)) return { url: options.blockUrl(group), headers: {}, class: group[0].class };
  return group.kind === 'inline' ? { url: inlineUri(group.bytes), class: group.class } : toLocatedBlock(group);
}

/** Headers and end markers are the same bytes in all tickets of a file. */
const inlineUris = new WeakMap<Uint8Array, string>();

function inlineUri(bytes: Uint8Array): string {
  const known = inlineUris.get(bytes);
  if (known !== undefined) return known;
  const uri = dataUri(bytes);
  inlineUris.set(bytes, uri);
  return uri;
}

function toLocatedBlock({ location, start, end, class: blockClass }: LocatedSegment): TicketBlock {
  const others = Object.entries(location.headers ?? {}).filter(([name]) => name.toLowerCase() !== 'range');
  const headers = { ...Object.fromEntries(others), Range: `bytes=${start}-${end - 1}` };
  return { url: location.url, headers, class: blockClass };
}

function groupSegments(segments: TicketPlan['segments'], blockBytes: number): SegmentGroup[] {
  const groups: (InlineSegment | LocatedSegment | [StoredSegment, ...StoredSegment[]])[] = [];
  for (const segment of segments) {
    const last = groups.at(-1);
    if (segment.kind === 'inline' || segment.kind === 'located') groups.push(segment);
    else if (Array.isArray(last) && joins(last, segment, blockBytes)) last.push(segment);
    else groups.push([segment]);
  }
  return groups;
}

function joins(group: readonly [StoredSegment, ...StoredSegment[]], next: StoredSegment, blockBytes: number): boolean {
  const joined = [...group, next];
  const byteLength = joined.reduce((sum, segment) => sum + storedBytes(segment), 0);
  const characters = joined.reduce((sum, segment) => sum + intervalCharacters(segment), 0);
  const isShort = joined.length <= MAX_SPANS_PER_URL && characters <= MAX_INTERVAL_CHARACTERS;
  return isShort && group[0].class === next.class && byteLength <= blockBytes;
}

/** Bytes of the stored object that a segment is made of, about. */
function storedBytes(segment: StoredSegment | LocatedSegment): number {
  return segment.kind === 'cut' ? segment.end.coffset - segment.start.coffset : segment.end - segment.start;
}

/** Bytes of the stored object behind some segments, about. */
export function storedLength(segments: readonly (Segment | LocatedSegment)[]): number {
  return segments.reduce((sum, part) => sum + (part.kind === 'inline' ? 0 : storedBytes(part)), 0);
}

/** What the intervals of a segment take in a URL. */
function intervalCharacters(segment: StoredSegment): number {
  return segment.kind === 'cut' && segment.intervals !== undefined ? packedLength(segment.intervals) : 0;
}
