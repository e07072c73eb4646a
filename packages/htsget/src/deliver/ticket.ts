import { toHex } from '@htskit/io';
import { dataUri, type Ticket, type TicketBlock } from '@htskit/protocol';
import { md5 } from '@noble/hashes/legacy.js';
import type { ClaimedSegment } from '../plan/plan.js';
import { type GroupOptions, groupSegments, type SegmentGroup, type TicketPlan } from './group-segments.js';
import type { LocatedSegment } from './locate.js';

export interface TicketOptions extends GroupOptions {
  /** Returns the URL that serves some segments of the plan. */
  blockUrl(segments: readonly ClaimedSegment[]): string;
  /** The headers that requests for blocks of this service need. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
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

function toBlock(group: SegmentGroup, options: TicketOptions): TicketBlock {
  const { headers = {} } = options;
  if (!('kind' in group)) return { url: options.blockUrl(group), headers, class: group[0].class };
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
