import { ifRangeMatches, matchesIfNoneMatch, type PlainResponse } from '@htskit/http';
import { matchesIfMatch, queryParameters } from '@htskit/http/internal';
import {
  type Authority,
  parseSubsequence,
  RefgetError,
  type RefgetFormat,
  refgetTextMediaType,
} from '@htskit/protocol';
import type { Sequence } from '@htskit/sequences';
import { toErrorResponse } from '../json-response.js';
import type { RefgetObject, RefgetSettings } from '../options.js';
import { METHODS } from '../route.js';
import { framedLength, frameOf, toSequenceBody } from './sequence-body.js';
import { SliceMemory } from './slice-memory.js';
import { planSubsequence, type SubsequencePlan, type SubsequenceRules, totalLength } from './subsequence-plan.js';

export interface SequenceRequest {
  readonly request: Request;
  readonly authority: Authority;
  /** The object to report failures with. */
  readonly object: RefgetObject | undefined;
  readonly format: RefgetFormat;
  readonly cacheControl: string;
}

/** A plan that selects bases. */
type AcceptedPlan = Exclude<SubsequencePlan, { kind: 'refused' }>;

/** Answers a request for bases of a sequence. HEAD and 304 read no storage. */
export async function answerSequence(
  sequence: Sequence,
  settings: RefgetSettings,
  sequenceRequest: SequenceRequest,
): Promise<PlainResponse> {
  const { request, authority, format, cacheControl } = sequenceRequest;
  const { headers } = request;
  const entityTag = toEntityTag(sequence, format);
  const range = ifRangeMatches(headers.get('if-range'), entityTag) ? headers.get('range') : null;
  const { start, end } = parseSubsequence(queryParameters(request));
  const plan = planSubsequence({ start, end, range }, rulesOf(sequence, settings));
  if (plan.kind === 'refused') return refuse(plan, authority);
  if (!matchesIfMatch(headers.get('if-match'), entityTag)) {
    throw new RefgetError('Precondition Failed', 'the sequence in this format has another entity tag');
  }
  // One object: spreading took a twentieth of the time of a short response.
  const responseHeaders: Record<string, string> = { etag: entityTag, 'cache-control': cacheControl, vary: 'Accept' };
  if (matchesIfNoneMatch(headers.get('if-none-match'), entityTag))
    return new Response(null, { status: 304, headers: responseHeaders });
  const frame = frameOf(format, { authority, name: toName(sequence, plan) });
  const status = plan.kind === 'range' ? 206 : 200;
  responseHeaders['content-type'] = frame.contentType;
  responseHeaders['content-length'] = String(framedLength(frame, totalLength(plan.intervals)));
  responseHeaders['accept-ranges'] = plan.kind === 'query' ? 'none' : 'bytes';
  if (plan.kind === 'range') responseHeaders['content-range'] = plan.contentRange;
  if (request.method === 'HEAD') return { status, headers: responseHeaders, body: null };
  if (sequence.locate !== undefined) {
    const redirect = await redirectSequence(sequence, settings, { ...sequenceRequest, plan });
    if (redirect !== undefined) return redirect;
  }
  const onError = (error: unknown): void => {
    if (!request.signal.aborted) settings.onError(error, sequenceRequest.object, request);
  };
  const { intervals } = plan;
  const memory = new SliceMemory();
  const body = await toSequenceBody(sequence, { intervals, frame, request, onError, memory });
  const onSent = memory.release;
  return onSent === undefined
    ? { status, headers: responseHeaders, body }
    : { status, headers: responseHeaders, body, onSent };
}

/**
 * Redirects the client to the location of the bases (refget 2.0.0, "GET /sequence/{id}" 10). Returns undefined if they must be
 * sent from here: the sequence has no location, or the bases are empty, wrap around the origin, or have another format.
 */
async function redirectSequence(
  sequence: Sequence,
  { redirectStatus }: RefgetSettings,
  { request, format, authority, plan }: SequenceRequest & { readonly plan: AcceptedPlan },
): Promise<Response | undefined> {
  const [range, ...others] = plan.intervals;
  if (sequence.locate === undefined || format !== 'plain' || range === undefined || others.length > 0) return undefined;
  // The store has other entity tags: it would send all bases instead of the Range.
  if (request.headers.has('if-range')) return undefined;
  const location = await sequence.locate({ signal: request.signal, ...(plan.kind === 'query' && { range }) });
  if (location === undefined) return undefined;
  const headers = {
    location,
    'content-type': refgetTextMediaType(authority),
    'content-length': '0',
    // The URL may be presigned: anyone who has it may read until it expires.
    'cache-control': 'no-store',
    vary: 'Accept',
  };
  return new Response(null, { status: redirectStatus, headers });
}

/** Names the properties one by one: spreading both objects took as long as the rest of a short response. */
function rulesOf({ metadata }: Sequence, settings: RefgetSettings): SubsequenceRules {
  return {
    length: metadata.length,
    circular: metadata.circular,
    circularSupported: settings.circularSupported,
    subsequenceLimit: settings.limits.subsequence,
    rangeOutOfBounds: settings.rangeOutOfBounds,
  };
}

/** Strong: the bytes of a format follow from the digest. Parts have the tag of the whole sequence (RFC 9110 §8.8.3). */
function toEntityTag({ metadata }: Sequence, format: RefgetFormat): string {
  return format === 'plain' ? `"${metadata.sha512t24u}"` : `"${metadata.sha512t24u}.${format}"`;
}

/** Returns the digest, and the bases of a part in the notation of samtools: 1-based with both ends inclusive. */
function toName({ metadata }: Sequence, { kind, intervals }: AcceptedPlan): string {
  const [first] = intervals;
  const last = intervals.at(-1);
  if (kind === 'whole' || first === undefined || last === undefined) return metadata.sha512t24u;
  return `${metadata.sha512t24u}:${first.start + 1}-${last.end}`;
}

function refuse(
  { error, contentRange }: Extract<SubsequencePlan, { kind: 'refused' }>,
  authority: Authority,
): Response {
  const headers = contentRange === undefined ? undefined : { 'content-range': contentRange };
  return toErrorResponse(error, { authority, methods: METHODS, headers });
}
