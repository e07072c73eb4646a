import type { IncomingMessage, ServerResponse } from 'node:http';

/** An object that a server serves. */
export interface ServedObject {
  readonly bytes: Uint8Array;
  /** Headers of the response, such as ETag and Last-Modified. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface RangeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Uint8Array;
}

/** Answers a GET with the whole object or one range (RFC 9110 §13.1.1 and §14). */
export function answerRange(request: IncomingMessage, { bytes, headers }: ServedObject): RangeAnswer {
  const ifMatch = request.headers['if-match'];
  if (ifMatch !== undefined && ifMatch !== headers['etag']) return { status: 412, headers: {}, body: new Uint8Array() };
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const common = { ...headers, 'accept-ranges': 'bytes' };
  if (first === undefined) return { status: 200, headers: { ...common, 'content-length': bytes.length }, body: bytes };
  const start = Number(first);
  const end = Math.min(last === '' ? bytes.length : Number(last) + 1, bytes.length);
  if (start >= bytes.length) {
    return { status: 416, headers: { 'content-range': `bytes */${bytes.length}` }, body: new Uint8Array() };
  }
  const contentRange = `bytes ${start}-${end - 1}/${bytes.length}`;
  const body = bytes.subarray(start, end);
  return { status: 206, headers: { ...common, 'content-range': contentRange, 'content-length': body.length }, body };
}

/** Sends a response, without its body if the request is a HEAD. */
export function send(request: IncomingMessage, response: ServerResponse, answer: RangeAnswer): void {
  response.writeHead(answer.status, { ...answer.headers });
  response.end(request.method === 'HEAD' ? undefined : answer.body);
}
