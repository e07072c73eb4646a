import type { ServerResponse } from 'node:http';

/** A short answer of the server itself. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends an answer with its length; the body is left out for HEAD. */
export function sendAnswer({ status, headers, body }: Answer, outgoing: ServerResponse): void {
  outgoing.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) });
  outgoing.end(outgoing.req.method === 'HEAD' ? undefined : body);
}

/** An answer for supervisors and people. */
export function toTextAnswer(status: number, text: string): Answer {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  return { status, headers, body: `${text}\n` };
}
