import { isHeaders, type PlainResponse } from '../handler/request.js';
import { EXPOSED_HEADERS } from './cors.js';

/**
 * The headers that keep browsers from running data: the media type is what is declared, and a document has an origin of its own,
 * without scripts (CSP Level 3, "sandbox").
 */
export const DATA_HEADERS: Readonly<Record<'x-content-type-options' | 'content-security-policy', string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': 'sandbox',
};

/**
 * Returns a response with `DATA_HEADERS` and the headers of `corsHeaders`. They replace those of the same name, but `Vary` is
 * extended.
 *
 * @example
 * const response = withDataHeaders({ status: 200, headers: { vary: 'Accept' }, body: 'ok' }, request);
 * response.headers; // { vary: 'Accept, Origin', 'x-content-type-options': 'nosniff', … }
 */
export function withDataHeaders(
  response: PlainResponse,
  request: { readonly headers: Pick<Headers, 'get'> },
): PlainResponse {
  const { headers } = response;
  const origin = request.headers.get('origin');
  const added =
    origin === null
      ? DATA_HEADERS
      : {
          ...DATA_HEADERS,
          'access-control-allow-origin': origin,
          'access-control-expose-headers': EXPOSED_HEADERS,
        };
  if (isHeaders(headers)) {
    for (const [name, value] of Object.entries(added)) headers.set(name, value);
    headers.append('vary', 'Origin');
    return response;
  }
  const vary = headers['vary'] === undefined ? 'Origin' : `${headers['vary']}, Origin`;
  const { status, body, onSent } = response;
  const all = { ...headers, ...added, vary };
  return onSent === undefined ? { status, headers: all, body } : { status, headers: all, body, onSent };
}
