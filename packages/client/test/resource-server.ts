import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseRangeHeader, toContentRange } from '@htskit/http';
import { createRandom } from '@htskit/testing';

/** Bytes without a pattern, the same for the same length. */
export function someBytes(length: number): Uint8Array {
  const random = createRandom(length);
  return Uint8Array.from({ length }, () => Math.floor(random() * 256));
}

/** Bytes as `someBytes` returns them, after the first bytes of VCF text. */
export function someText(length: number): Uint8Array {
  const bytes = someBytes(length);
  bytes.set(new TextEncoder().encode('##fileformat=VCFv4.3\n'));
  return bytes;
}

export interface SendOptions {
  /** Default none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether ranges are answered; default true. */
  readonly isRangeable?: boolean;
  /** The number of bytes of the body after which the connection breaks. */
  readonly breaksAfter?: number;
  /** Whether the response has a Content-Length. Default true. */
  readonly hasLength?: boolean;
}

/** Sends bytes, or what a Range header asks for of them. */
export function sendBytes(
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Uint8Array,
  { headers = {}, isRangeable = true, breaksAfter, hasLength = true }: SendOptions = {},
): void {
  const asked = parseRangeHeader(isRangeable ? (request.headers.range ?? null) : null, bytes.length);
  if (asked.kind === 'unsatisfiable') {
    response.writeHead(416).end();
    return;
  }
  const range = asked.kind === 'range' ? asked.range : { start: 0, end: bytes.length };
  const body = bytes.subarray(range.start, range.end);
  response.writeHead(asked.kind === 'range' ? 206 : 200, {
    ...(isRangeable && { 'accept-ranges': 'bytes' }),
    ...(hasLength && { 'content-length': String(body.length) }),
    ...(asked.kind === 'range' && { 'content-range': toContentRange(range, bytes.length) }),
    ...headers,
  });
  if (breaksAfter === undefined) response.end(body);
  // Not until the bytes are on their way: they would be lost with the connection.
  else response.write(body.subarray(0, breaksAfter), () => setImmediate(() => response.destroy()));
}
