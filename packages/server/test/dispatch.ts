import { routeOf } from '../src/runtime/request-route.js';

export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** Returns a handler that passes each request to the protocol that owns its path. */
export function dispatch({
  htsget,
  refget,
  coverage = htsget,
  seqrepo = refget,
  drs = htsget,
}: {
  readonly htsget: FetchHandler;
  readonly refget: FetchHandler;
  readonly coverage?: FetchHandler;
  readonly seqrepo?: FetchHandler;
  readonly drs?: FetchHandler;
}): FetchHandler {
  return (request) => {
    const { owner, template } = routeOf(new URL(request.url).pathname);
    if (template === '/' && request.method !== 'POST') return new Response('overview');
    if (template.startsWith('/igv/') || template.startsWith('/jbrowse/')) {
      const isUnknown = new URL(request.url).search !== '';
      return Response.json(isUnknown ? { message: 'unknown' } : {}, { status: isUnknown ? 404 : 200 });
    }
    if (owner === 'coverage') return coverage(request);
    if (owner === 'drs') return drs(request);
    if (owner === 'seqrepo') return seqrepo(request);
    return owner === 'refget' ? refget(request) : htsget(request);
  };
}
