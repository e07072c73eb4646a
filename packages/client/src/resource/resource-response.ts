import { announcedLength, isEncoded } from '../transport/body.js';
import type { Transport } from '../transport/transport.js';
import { type ContentRange, parseContentRange } from './content-range.js';
import { type AskedBytes, parseRange } from './resource.js';

/** What was asked of a resource. */
export interface AskedRange {
  /** The Range header; undefined for none. */
  readonly header: string | undefined;
  /** Whether everything may be sent in its place: it was made to go on. */
  readonly isOptional: boolean;
}

/** What an answer holds. */
export interface ResourceResponse {
  /** Byte of the resource at which its body begins; undefined where only the server knows what was asked for. */
  readonly start: number | undefined;
  /** Bytes of the body; undefined where nothing tells. */
  readonly length: number | undefined;
  /** Equal ones stand for equal bytes. */
  readonly validator: string | undefined;
  /** Whether a part of the same resource can be asked for. */
  readonly isRangeable: boolean;
}

/** Reads the headers of an answer that is no error. Throws INVALID_RESPONSE where they do not answer what was asked. */
export function readResourceResponse(response: Response, asked: AskedRange, transport: Transport): ResourceResponse {
  const { status, headers } = response;
  const announced = announcedLength(response);
  const range = parseRange(asked.header);
  const validator = validatorOf(headers);
  if (status === 206) return { ...readPartial(response, { asked, range, announced }, transport), validator };
  // A server may send everything in place of a range (RFC 9110 §14.2).
  const isSame =
    asked.header === undefined || (range?.start === 0 && announced !== undefined && range.end === announced);
  if (!isSame && !asked.isOptional)
    throw transport.createError('INVALID_RESPONSE', 'the server ignores the Range header');
  const isRangeable = headers.get('accept-ranges')?.toLowerCase() === 'bytes' && !isEncoded(headers);
  return { start: 0, length: announced, validator, isRangeable };
}

interface AskedPart {
  readonly asked: AskedRange;
  readonly range: AskedBytes | undefined;
  readonly announced: number | undefined;
}

function readPartial(
  { headers }: Response,
  { asked, range, announced }: AskedPart,
  transport: Transport,
): Omit<ResourceResponse, 'validator'> {
  const invalid = (message: string): Error => transport.createError('INVALID_RESPONSE', message);
  if (asked.header === undefined) throw invalid('the server sends a part where the whole was asked for');
  if (isEncoded(headers)) throw invalid('a part of the resource is compressed');
  // Missing where a browser hides it, and for several ranges.
  const value = headers.get('content-range');
  const found = value === null ? undefined : parseContentRange(value);
  if (value !== null && found === undefined) throw invalid('the Content-Range header is malformed');
  if (found !== undefined && range !== undefined && !isAsked(found, range)) {
    const end = range.end ?? 'the end';
    throw invalid(`bytes ${range.start} to ${end} were asked for, ${found.start} to ${found.end} are sent`);
  }
  const { start, end } = found ?? range ?? {};
  const length = start === undefined || end === undefined ? announced : end - start;
  if (announced !== undefined && length !== announced) {
    throw invalid(`the range has ${length} bytes, Content-Length announces ${announced}`);
  }
  return { start: range?.start, length, isRangeable: range !== undefined };
}

function isAsked(found: ContentRange, range: AskedBytes): boolean {
  return found.start === range.start && found.end === (range.end ?? found.size ?? found.end);
}

/** A strong ETag, or else the date of the last change; undefined for neither. */
function validatorOf(headers: Headers): string | undefined {
  const etag = headers.get('etag');
  return (etag?.startsWith('"') ? etag : headers.get('last-modified')) ?? undefined;
}
