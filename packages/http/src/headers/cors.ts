/** Seconds for which browsers may cache a preflight response: 30 days (htsget 1.3.1, "CORS" 4). */
const PREFLIGHT_MAX_AGE = 30 * 24 * 60 * 60;

/** Response headers that scripts of other origins need beyond the few that browsers always expose. */
export const EXPOSED_HEADERS =
  'Accept-Ranges, Content-Length, Content-Range, Content-Type, ETag, Location, Retry-After, WWW-Authenticate, X-Request-Id';

/**
 * Returns the CORS headers of any response, including errors (htsget 1.3.1, "CORS" 1).
 *
 * @example
 * const response = new Response(body, { headers: corsHeaders(request) });
 */
export function corsHeaders(request: { readonly headers: Pick<Headers, 'get'> }): Record<string, string> {
  const origin = request.headers.get('origin');
  if (origin === null) return { Vary: 'Origin' };
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': EXPOSED_HEADERS,
    Vary: 'Origin',
  };
}

/**
 * Returns the CORS headers of the response to an OPTIONS request (htsget 1.3.1, "CORS" 2–4). Browsers refuse methods that
 * are not listed; every requested header is allowed.
 *
 * @example
 * const response = new Response(null, { status: 204, headers: preflightHeaders(request, ['GET', 'HEAD']) });
 */
export function preflightHeaders(
  request: { readonly headers: Headers },
  methods: readonly string[],
): Record<string, string> {
  const vary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers';
  const origin = request.headers.get('origin');
  if (origin === null) return { Vary: vary };
  const requestedHeaders = request.headers.get('access-control-request-headers');
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': methods.join(', '),
    ...(requestedHeaders !== null && { 'Access-Control-Allow-Headers': requestedHeaders }),
    'Access-Control-Max-Age': String(PREFLIGHT_MAX_AGE),
    Vary: vary,
  };
}
