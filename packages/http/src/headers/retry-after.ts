/** Milliseconds of a `Retry-After` header, in seconds or as a date (RFC 9110 §10.2.3); undefined where it has none. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
  // All three forms of a date begin with the day of the week; of "-5" or "1.5", Date.parse makes a day of 2001. The form of
  // asctime names no zone.
  const date = /^[A-Z][a-z]+,? /.test(value) ? Date.parse(value.endsWith('GMT') ? value : `${value} GMT`) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
