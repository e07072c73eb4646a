import type { IncomingMessage, ServerResponse } from 'node:http';

/** An object as a server has it. */
export interface ServedObject {
  readonly bytes: Uint8Array;
  /** ETag, Last-Modified and others, as they are sent. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface RangeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Uint8Array;
}

/** What a server answers to a GET, whole or by one range, as RFC 9110 §13.1.1 and §14 say. */
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

/** Sends an answer; to HEAD without its body. */
export function send(request: IncomingMessage, response: ServerResponse, answer: RangeAnswer): void {
  response.writeHead(answer.status, { ...answer.headers });
  response.end(request.method === 'HEAD' ? undefined : answer.body);
}
