import { toHex } from '@htskit/io';
import { dataUri, type Ticket, type TicketBlock } from '@htskit/protocol';
import { md5 } from '@noble/hashes/legacy.js';
import { MAX_SEGMENT_CHARACTERS, segmentCharacters } from '../block-url/block-claim.js';
import type { InlineSegment, Plan, Segment, StoredSegment } from '../plan/plan.js';
import { hasKnownLength, MAX_EDGED_SEGMENTS } from './cut-edges.js';
import type { LocatedSegment } from './locate.js';

export interface TicketOptions {
  /** The maximum number of compressed bytes of neighbouring segments that share one URL. */
  readonly blockBytes: number;
  /**
   * The maximum number of compressed bytes of the segments that share a URL with one of unknown length. If its connection breaks,
   * a client fetches such a block from its start.
   */
  readonly transformedBytes: number;
  /** Returns the URL that serves some segments of the plan. */
  blockUrl(segments: readonly StoredSegment[]): string;
}

/** A plan whose segments may be sent by the store itself. */
export interface TicketPlan extends Pick<Plan, 'format' | 'rewriting' | 'conversion'> {
  readonly segments: readonly (Segment | LocatedSegment)[];
}

/**
 * Renders a plan as a ticket that every known client reads: a data URI for each inline segment, one URL for each run of
 * neighbouring segments, `headers` on every URL (htsjdk fails without them), and a class on every block.
 */
export function toTicket(plan: TicketPlan, options: TicketOptions): Ticket {
  const urls = groupSegments(plan, options).map((group) => toBlock(group, options));
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

type BlockLimits = Pick<TicketOptions, 'blockBytes' | 'transformedBytes'>;

function groupSegments(plan: TicketPlan, options: BlockLimits): SegmentGroup[] {
  const groups: SegmentGroup[] = [];
  let run: SegmentRun | undefined;
  for (const segment of plan.segments) {
    if (segment.kind === 'inline' || segment.kind === 'located') {
      groups.push(segment);
      run = undefined;
      continue;
    }
    const next = new SegmentRun(segment, plan);
    if (run === undefined || !joins(run, next, options)) {
      run = next;
      groups.push(run.segments);
    } else run.add(next);
  }
  return groups;
}

/** Neighbouring segments that share a URL. */
class SegmentRun {
  readonly segments: [StoredSegment, ...StoredSegment[]];
  byteLength: number;
  hasKnownLength: boolean;
  /** Undefined until the run is compared with its neighbour, which most tickets do not have. */
  #characters: number | undefined;

  constructor(segment: StoredSegment, plan: TicketPlan) {
    this.segments = [segment];
    this.byteLength = storedBytes(segment);
    this.hasKnownLength = hasKnownLength(this.segments, plan);
  }

  /** The approximate number of characters of the segments in a URL. */
  get characters(): number {
    this.#characters ??= segmentCharacters(this.segments[0]);
    return this.#characters;
  }

  add(next: SegmentRun): void {
    this.#characters = this.characters + next.characters;
    this.segments.push(...next.segments);
    this.byteLength += next.byteLength;
    this.hasKnownLength &&= next.hasKnownLength;
  }
}

function joins(run: SegmentRun, next: SegmentRun, { blockBytes, transformedBytes }: BlockLimits): boolean {
  const byteLength = run.byteLength + next.byteLength;
  const isResumable = run.hasKnownLength && next.hasKnownLength && run.segments.length < MAX_EDGED_SEGMENTS;
  return (
    run.segments[0].class === next.segments[0].class &&
    run.characters + next.characters <= MAX_SEGMENT_CHARACTERS &&
    byteLength <= (isResumable ? blockBytes : Math.min(blockBytes, transformedBytes))
  );
}

/** Returns the approximate number of bytes of the stored object that a segment is made from. */
function storedBytes(segment: StoredSegment | LocatedSegment): number {
  if (segment.kind === 'header') return 0;
  return segment.kind === 'cut' ? segment.end.coffset - segment.start.coffset : segment.end - segment.start;
}

/** Returns the approximate number of bytes of the stored object that some segments are made from. */
export function storedLength(segments: readonly (Segment | LocatedSegment)[]): number {
  return segments.reduce((sum, segment) => sum + (segment.kind === 'inline' ? 0 : storedBytes(segment)), 0);
}
