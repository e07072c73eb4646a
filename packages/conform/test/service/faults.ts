import type { Fault } from './faithful-service.js';

/** Returns whether a fault applies to a request. */
export type RequestFilter = (url: URL, request: Request, body: string) => boolean;

async function isMatch(matches: RequestFilter, request: Request): Promise<boolean> {
  return matches(new URL(request.url), request, await request.clone().text());
}

/** Applies a fault to the requests that match. */
export function onRequests(matches: RequestFilter, fault: Fault): Fault {
  return async (request, serve) => ((await isMatch(matches, request)) ? fault(request, serve) : serve(request));
}

/** Changes the answers to the requests that match. */
export function changeAnswer(
  matches: RequestFilter,
  change: (answer: Response, request: Request) => Promise<Response> | Response,
): Fault {
  return onRequests(matches, async (request, serve) => change(await serve(request.clone()), request));
}

/** Answers the requests that match with another status, and the same headers and body. */
export function withStatus(status: number, matches: RequestFilter): Fault {
  return changeAnswer(
    matches,
    async (answer) => new Response(await answer.text(), { status, headers: answer.headers }),
  );
}

/** Changes the bytes of the answers to the requests that match. */
export function changeBytes(matches: RequestFilter, change: (bytes: Uint8Array) => Uint8Array): Fault {
  return changeAnswer(matches, async (answer) => {
    const bytes = new Uint8Array(change(new Uint8Array(await answer.arrayBuffer())));
    const headers = new Headers(answer.headers);
    headers.set('content-length', String(bytes.length));
    return new Response(bytes, { status: answer.status, headers });
  });
}

/** Changes the text of the answers to the requests that match. */
export function changeText(matches: RequestFilter, change: (text: string) => string): Fault {
  return changeBytes(matches, (bytes) => new TextEncoder().encode(change(new TextDecoder().decode(bytes))));
}

/** Changes the headers of the answers to the requests that match. */
export function changeHeaders(matches: RequestFilter, change: (headers: Headers, request: Request) => void): Fault {
  return changeAnswer(matches, (answer, request) => {
    const headers = new Headers(answer.headers);
    change(headers, request);
    return new Response(answer.body, { status: answer.status, headers });
  });
}

/** Changes the URL of the requests that match before the service sees them. */
export function changeRequest(matches: RequestFilter, change: (url: URL) => void): Fault {
  return onRequests(matches, (request, serve) => {
    const url = new URL(request.url);
    change(url);
    return serve(new Request(url, request));
  });
}

/** Changes the headers of the requests that match before the service sees them. */
export function changeRequestHeaders(matches: RequestFilter, change: (headers: Headers) => void): Fault {
  return onRequests(matches, (request, serve) => {
    const headers = new Headers(request.headers);
    change(headers);
    return serve(new Request(request, { headers }));
  });
}

/** Changes the JSON object that answers the requests that match. */
export function changeJson(matches: RequestFilter, change: (document: Record<string, unknown>) => unknown): Fault {
  return changeText(matches, (text) => JSON.stringify(change(JSON.parse(text) as Record<string, unknown>)));
}

/** Changes a header of the requests that match before the service sees them. Null removes it. */
export function changeRequestHeader(
  matches: RequestFilter,
  name: string,
  change: (value: string) => string | null,
): Fault {
  return onRequests(matches, (request, serve) => {
    const headers = new Headers(request.headers);
    const value = change(headers.get(name) ?? '');
    if (value === null) headers.delete(name);
    else headers.set(name, value);
    return serve(new Request(request, { headers }));
  });
}
