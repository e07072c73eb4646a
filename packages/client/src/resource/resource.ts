import { parsePartialContent, type Transport } from '@htskit/http';
import { contentLength, isEncoded } from '@htskit/http/internal';

/** A URL with the headers of every request for it, redirected or not. */
export interface Resource {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A range of the bytes that the resource's own request, including its `Range` header, is answered with. */
export interface ResourcePart {
  readonly resource: Resource;
  readonly start: number;
  /** Undefined for the end of the resource. */
  readonly end: number | undefined;
  /** Whether the resource is fetched in several parts, each of which needs a range request. */
  readonly isSplit: boolean;
}

/** A half-open range of a `Range` header. */
export interface OpenRange {
  readonly start: number;
  /** Undefined for the end of the resource. */
  readonly end: number | undefined;
}

export function rangeHeader(resource: Resource): string | undefined {
  return requestHeader(resource, 'range');
}

/** Returns the value of a header that the resource is requested with. `name` is in lower case. */
export function requestHeader({ headers = {} }: Resource, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** Parses a `Range` header. Returns undefined without one, and for suffixes and several ranges, which are sent unchanged. */
export function parseRange(header: string | undefined): OpenRange | undefined {
  const match = header === undefined ? null : /^\s*bytes=(\d{1,15})-(\d{1,15})?\s*$/i.exec(header);
  if (match === null) return undefined;
  const [, first, last] = match;
  const range = { start: Number(first), end: last === undefined ? undefined : Number(last) + 1 };
  return range.end === undefined || range.start < range.end ? range : undefined;
}

/** The range of a request. */
export interface RequestedRange {
  /** The Range header, or undefined for none. */
  readonly header: string | undefined;
  /** Whether the server may send everything instead: the range only skips what was received before. */
  readonly isOptional: boolean;
}

/** The content of a response, as its headers declare it. */
export interface ResourceContent {
  /** The byte of the resource at which the body begins, or undefined if only the server understands the range. */
  readonly start: number | undefined;
  /** Bytes of the body, or undefined if unknown. */
  readonly length: number | undefined;
  /** Equal validators mean equal bytes. */
  readonly validator: string | undefined;
  /** Whether a part of the resource can be requested. */
  readonly isRangeable: boolean;
}

/** Parses the headers of a 200 or 206 response. Throws INVALID_RESPONSE if it does not answer the request. */
export function parseContent(response: Response, requested: RequestedRange, transport: Transport): ResourceContent {
  const { status, headers } = response;
  const validator = toValidator(headers);
  if (status === 206) return { ...parsePart(response, requested, transport), validator };
  const range = parseRange(requested.header);
  const length = contentLength(headers);
  // A server may send everything instead of a range (RFC 9110 §14.2).
  const isSame = requested.header === undefined || (range?.start === 0 && length !== undefined && range.end === length);
  if (!isSame && !requested.isOptional) {
    throw transport.createError({ code: 'INVALID_RESPONSE', message: 'the server ignores the Range header' });
  }
  const isRangeable = headers.get('accept-ranges')?.toLowerCase() === 'bytes' && !isEncoded(headers);
  return { start: 0, length, validator, isRangeable };
}

function parsePart(
  response: Response,
  { header }: RequestedRange,
  transport: Transport,
): Omit<ResourceContent, 'validator'> {
  const invalid = (message: string): Error => transport.createError({ code: 'INVALID_RESPONSE', message });
  // Without a Content-Range, which browsers may hide and several ranges do not have, the requested range is assumed.
  const { start, end, size, length } = parsePartialContent(response, transport);
  if (header === undefined) {
    // Some services answer with 206 whatever was requested.
    if ((start ?? 0) === 0 && end === (size ?? end)) return { start: 0, length, isRangeable: true };
    throw invalid('the server sent a part, but the whole was requested');
  }
  const range = parseRange(header);
  if (range === undefined) return { start: undefined, length, isRangeable: false };
  if (start !== undefined && (start !== range.start || end !== (range.end ?? size ?? end))) {
    throw invalid(`expected bytes ${range.start} to ${range.end ?? 'the end'}, found ${start} to ${end}`);
  }
  if (start !== undefined || range.end === undefined) return { start: range.start, length, isRangeable: true };
  const expected = range.end - range.start;
  if (length !== undefined && length !== expected) throw invalid(`expected ${expected} bytes, found ${length}`);
  return { start: range.start, length: expected, isRangeable: true };
}

/** Returns a strong ETag, or else the modification date. */
function toValidator(headers: Headers): string | undefined {
  const etag = headers.get('etag');
  return (etag?.startsWith('"') ? etag : headers.get('last-modified')) ?? undefined;
}
