import type { PlainResponse } from '@htskit/http';

export type Handler<Answer extends PlainResponse = Response> = (request: Request) => Answer | Promise<Answer>;

export interface AppHandlers<Answer extends PlainResponse> {
  /** Answers `/reads`, `/variants` and `/blocks`. */
  readonly htsget: Handler<Answer>;
  /** Answers `/sequence`, and the paths of sequence collections. */
  readonly refget: Handler<Answer>;
}

const OVERVIEW = `htskit: genomic data over htsget 1.3.1, refget 2.0.0 and sequence collections 1.0.0

/reads/{id}               ticket for regions of an alignment file: BAM, CRAM
/variants/{id}            ticket for regions of a variant file: VCF, BCF, VCFTEXT
/reads/service-info       what is served, in the terms of htsget; /variants/service-info
/sequence/{digest}        a reference sequence, or part of it
/sequence/service-info    what is served, in the terms of refget
/list/collection          the sequence collections: one for each file of sequences
/collection/{digest}      names, lengths and sequences of one; ?level=1 for their digests
/comparison/{a}/{b}       what two of them have in common; POST one of your own to /comparison/{a}
/service-info             what is served, in the terms of sequence collections
/healthz  /readyz         for the supervisor; /metrics for Prometheus
/openapi.json             what all of these take and answer
`;

/** First segments of the paths of refget and of sequence collections. */
const REFGET_AREAS: readonly (string | undefined)[] = [
  'sequence',
  'collection',
  'comparison',
  'list',
  'attribute',
  'service-info',
];

/** One handler for all paths of the server. */
export function createApp<Answer extends PlainResponse>({
  htsget,
  refget,
}: AppHandlers<Answer>): Handler<Answer | Response> {
  return (request) => {
    const { pathname } = new URL(request.url);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && pathname === '/') return toText(OVERVIEW);
    // Also what lies nowhere: its error body is the protocol's.
    return REFGET_AREAS.includes(pathname.split('/', 2)[1]) ? refget(request) : htsget(request);
  };
}

function toText(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
}
