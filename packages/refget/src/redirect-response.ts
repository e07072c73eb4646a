import { type Authority, type RefgetFormat, refgetTextMediaType } from '@htskit/protocol';
import type { Sequence } from '@htskit/sequences';
import type { RefgetSettings } from './options.js';
import type { SubsequencePlan } from './subsequence-plan.js';

export interface RedirectRequest {
  readonly request: Request;
  readonly format: RefgetFormat;
  readonly authority: Authority;
  readonly plan: Exclude<SubsequencePlan, { kind: 'refused' }>;
}

/**
 * Sends the client to where the bases lie (refget 2.0.0, "GET /sequence/{id}" 10); undefined where they are to be sent
 * from here: the sequence lies nowhere else, other formats than plain, what wraps around the origin, and what is empty.
 */
export async function redirectSequence(
  sequence: Sequence,
  { redirectStatus }: RefgetSettings,
  { request, format, authority, plan }: RedirectRequest,
): Promise<Response | undefined> {
  const [range, ...others] = plan.intervals;
  if (sequence.locate === undefined || format !== 'plain' || range === undefined || others.length > 0) return undefined;
  // The store knows other entity tags: it would send all bases instead of the Range.
  if (request.headers.has('if-range')) return undefined;
  const location = await sequence.locate({ signal: request.signal, ...(plan.kind === 'query' && { range }) });
  if (location === undefined) return undefined;
  const headers = {
    location,
    'content-type': refgetTextMediaType(authority),
    'content-length': '0',
    // The URL may be presigned: whoever has it may read until it expires.
    'cache-control': 'no-store',
    vary: 'Accept',
  };
  return new Response(null, { status: redirectStatus, headers });
}
