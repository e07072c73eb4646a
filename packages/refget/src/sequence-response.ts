import { ifRangeMatches, matchesIfNoneMatch, type PlainResponse } from '@htskit/http';
import { type Authority, parseSubsequence, type RefgetFormat } from '@htskit/protocol';
import type { Sequence } from '@htskit/sequences';
import { toErrorResponse } from './json-response.js';
import type { RefgetSettings } from './options.js';
import { redirectSequence } from './redirect-response.js';
import { toSequenceBody } from './sequence-body.js';
import { framedLength, frameOf } from './sequence-frame.js';
import { planSubsequence, type SubsequencePlan, type SubsequenceRules, totalLength } from './subsequence-plan.js';

export interface SequenceRequest {
  readonly request: Request;
  readonly url: URL;
  readonly authority: Authority;
  readonly format: RefgetFormat;
  readonly cacheControl: string;
}

/** Answers a request for bases of a sequence. HEAD and 304 read no storage. */
export async function answerSequence(
  sequence: Sequence,
  settings: RefgetSettings,
  { request, url, authority, format, cacheControl }: SequenceRequest,
): Promise<PlainResponse> {
  const { headers } = request;
  const entityTag = toEntityTag(sequence, format);
  const range = ifRangeMatches(headers.get('if-range'), entityTag) ? headers.get('range') : null;
  const plan = planSubsequence({ ...parseSubsequence(url.searchParams), range }, rulesOf(sequence, settings));
  if (plan.kind === 'refused') return refuse(plan, authority);
  const shared = { etag: entityTag, 'cache-control': cacheControl, vary: 'Accept' };
  if (matchesIfNoneMatch(headers.get('if-none-match'), entityTag))
    return new Response(null, { status: 304, headers: shared });
  const frame = frameOf(format, { authority, name: toName(sequence, plan) });
  const status = plan.kind === 'range' ? 206 : 200;
  const responseHeaders = new Headers(shared);
  responseHeaders.set('content-type', frame.contentType);
  responseHeaders.set('content-length', String(framedLength(frame, totalLength(plan.intervals))));
  responseHeaders.set('accept-ranges', plan.kind === 'query' ? 'none' : 'bytes');
  if (plan.kind === 'range') responseHeaders.set('content-range', plan.contentRange);
  if (request.method === 'HEAD') return { status, headers: responseHeaders, body: null };
  const redirect = await redirectSequence(sequence, settings, { request, format, authority, plan });
  if (redirect !== undefined) return redirect;
  const onError = (error: unknown): void => {
    if (!request.signal.aborted) settings.onError(error);
  };
  const { intervals } = plan;
  const body = await toSequenceBody(sequence, { intervals, frame, request, onError });
  return { status, headers: responseHeaders, body };
}

/** Named one by one: spreading both objects took as long as all else of a short answer. */
function rulesOf({ metadata }: Sequence, settings: RefgetSettings): SubsequenceRules {
  return {
    length: metadata.length,
    circular: metadata.circular,
    circularSupported: settings.circularSupported,
    subsequenceLimit: settings.subsequenceLimit,
    rangeOutOfBounds: settings.rangeOutOfBounds,
  };
}

/** Strong: the bytes of a format follow from the digest. Parts of a sequence have the tag of the whole, as RFC 9110 asks. */
function toEntityTag({ metadata }: Sequence, format: RefgetFormat): string {
  return format === 'plain' ? `"${metadata.sha512t24u}"` : `"${metadata.sha512t24u}.${format}"`;
}

/** The digest, with the bases as samtools writes them: 1-based, both ends inclusive. */
function toName({ metadata }: Sequence, { kind, intervals }: Exclude<SubsequencePlan, { kind: 'refused' }>): string {
  const [first] = intervals;
  const last = intervals.at(-1);
  if (kind === 'whole' || first === undefined || last === undefined) return metadata.sha512t24u;
  return `${metadata.sha512t24u}:${first.start + 1}-${last.end}`;
}

function refuse(
  { error, contentRange }: Extract<SubsequencePlan, { kind: 'refused' }>,
  authority: Authority,
): Response {
  return toErrorResponse(error, {
    authority,
    ...(contentRange !== undefined && { headers: { 'content-range': contentRange } }),
  });
}
