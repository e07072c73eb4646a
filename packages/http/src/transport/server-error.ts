import { readBytes } from './body.js';
import type { RetryableError } from './http-error.js';
import type { Transport } from './transport.js';

/** Bytes of an error's body that are read. */
const MAX_BODY_BYTES = 64 * 1024;

/**
 * Statuses after which the same request may succeed later (RFC 9110 §15.5.9, §15.6; RFC 8470 §5.2; RFC 6585 §4). Other 5xx
 * statuses report what the server cannot do at all.
 */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Returns whether a request that failed with this status may succeed later. */
export function isTransientStatus(status: number): boolean {
  return TRANSIENT_STATUSES.has(status);
}

/** Returns the SERVER_ERROR of a response with an error status, and reads the beginning of its body. */
export async function toServerError(response: Response, transport: Transport): Promise<RetryableError> {
  const { status, headers } = response;
  const body = await readBytes(response, MAX_BODY_BYTES, transport).catch(() => new Uint8Array());
  transport.signal?.throwIfAborted();
  return transport.createError({
    code: 'SERVER_ERROR',
    message: `the server answered HTTP ${status}`,
    status,
    body: new TextDecoder().decode(body),
    isTransient: isTransientStatus(status),
    retryAfterMilliseconds: parseRetryAfter(headers.get('retry-after'), transport.now()),
  });
}

/**
 * Parses a `Retry-After` header, in seconds or as a date (RFC 9110 §10.2.3), into milliseconds from `now`, which is in
 * milliseconds since 1970. Returns undefined if it is missing or malformed.
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
  // All three forms of a date begin with the day of the week: Date.parse would read "-5" and "1.5" as days of 2001. The
  // asctime form has no time zone.
  const date = /^[A-Z][a-z]+,? /.test(value) ? Date.parse(value.endsWith('GMT') ? value : `${value} GMT`) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
