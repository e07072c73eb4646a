import { toHex } from '@htskit/io';
import { dataUri, type Ticket, type TicketBlock } from '@htskit/protocol';
import { md5 } from '@noble/hashes/legacy.js';
import { MAX_INTERVAL_CHARACTERS, packedLength } from '../block-url/block-claim.js';
import type { InlineSegment, Plan, Segment, StoredSegment } from '../plan/plan.js';
import type { LocatedSegment } from './locate.js';

/** Most segments of one block URL. With more, it could exceed the 8 kB that many proxies accept. */
const MAX_SEGMENTS_PER_URL = 8;

export interface TicketOptions {
  /** Most compressed bytes of neighbouring segments that share one URL. */
  readonly blockBytes: number;
  /** Returns the URL that serves some segments of the plan. */
  blockUrl(segments: readonly StoredSegment[]): string;
}

/** A plan whose segments may be sent by the store itself. */
export interface TicketPlan extends Pick<Plan, 'format' | 'rewriting'> {
  readonly segments: readonly (Segment | LocatedSegment)[];
}

/**
 * Renders a plan as a ticket that every known client reads: a data URI for each inline segment, one URL for each run of
 * neighbouring segments, `headers` on every URL (htsjdk fails without them), and a class on every block.
 */
export function toTicket(plan: TicketPlan, options: TicketOptions): Ticket {
  const urls = groupSegments(plan.segments, options.blockBytes).map((group) => toBlock(group, options));
  const digest = inlineMd5(plan.segments);
  return { htsget: { format: plan.format, urls, ...(digest !== undefined && { md5: digest }) } };
}

/** Returns the MD5 of the answer if all of it is inline. */
function inlineMd5(segments: TicketPlan['segments']): string | undefined {
  const inline = segments.filter((segment) => segment.kind === 'inline');
  if (inline.length < segments.length) return undefined;
  const hash = md5.create();
  for (const { bytes } of inline) hash.update(bytes);
  return toHex(hash.digest());
}

type SegmentGroup = InlineSegment | LocatedSegment | readonly [StoredSegment, ...StoredSegment[]];

function toBlock(group: SegmentGroup, options: TicketOptions): TicketBlock {
  if (!('kind' in group)) return { url: options.blockUrl(group), headers: {}, class: group[0].class };
  return group.kind === 'inline' ? { url: inlineUri(group.bytes), class: group.class } : toLocatedBlock(group);
}

/** All tickets of a file share the byte arrays of its header and end marker. */
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
  const isShort = joined.length <= MAX_SEGMENTS_PER_URL && characters <= MAX_INTERVAL_CHARACTERS;
  return isShort && group[0].class === next.class && byteLength <= blockBytes;
}

/** Returns the approximate number of bytes of the stored object that a segment is made from. */
function storedBytes(segment: StoredSegment | LocatedSegment): number {
  return segment.kind === 'cut' ? segment.end.coffset - segment.start.coffset : segment.end - segment.start;
}

/** Returns the approximate number of bytes of the stored object that some segments are made from. */
export function storedLength(segments: readonly (Segment | LocatedSegment)[]): number {
  return segments.reduce((sum, segment) => sum + (segment.kind === 'inline' ? 0 : storedBytes(segment)), 0);
}

/** Returns how many characters the intervals of a segment take in a URL. */
function intervalCharacters(segment: StoredSegment): number {
  return segment.kind === 'cut' && segment.intervals !== undefined ? packedLength(segment.intervals) : 0;
}
