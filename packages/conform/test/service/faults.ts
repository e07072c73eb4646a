import type { Fault } from './faithful-service.js';

/** Returns whether a fault applies to a request. */
export type RequestFilter = (url: URL, request: Request) => boolean;

/** Answers the requests that match with another status, and the same headers and body. */
export function withStatus(status: number, matches: RequestFilter): Fault {
  return changeAnswer(
    matches,
    async (answer) => new Response(await answer.text(), { status, headers: answer.headers }),
  );
}

/** Changes the answers to the requests that match. */
export function changeAnswer(
  matches: RequestFilter,
  change: (answer: Response, request: Request) => Promise<Response> | Response,
): Fault {
  return async (request, serve) => {
    const answer = await serve(request.clone());
    return matches(new URL(request.url), request) ? change(answer, request) : answer;
  };
}

/** Changes the text of the answers to the requests that match. */
export function changeText(matches: RequestFilter, change: (text: string) => string): Fault {
  return changeAnswer(matches, async (answer) => {
    const text = change(await answer.text());
    const headers = new Headers(answer.headers);
    headers.set('content-length', String(new TextEncoder().encode(text).length));
    return new Response(text, { status: answer.status, headers });
  });
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
  return (request, serve) => {
    const url = new URL(request.url);
    if (!matches(url, request)) return serve(request);
    change(url);
    return serve(new Request(url, request));
  };
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
  return (request, serve) => {
    if (!matches(new URL(request.url), request)) return serve(request);
    const headers = new Headers(request.headers);
    const value = change(headers.get(name) ?? '');
    if (value === null) headers.delete(name);
    else headers.set(name, value);
    return serve(new Request(request, { headers }));
  };
}
