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

const ALLOW_ORIGIN = 'access-control-allow-origin';

/**
 * Returns a response with `DATA_HEADERS` and the headers of `corsHeaders`. They replace those of the same name, but `Vary` is
 * extended. A response that already lets every origin read it, by `Access-Control-Allow-Origin: *`, does not vary by origin.
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
  const allowed = isHeaders(headers) ? headers.get(ALLOW_ORIGIN) : headers[ALLOW_ORIGIN];
  const isForAll = allowed === '*';
  const origin = isForAll ? allowed : request.headers.get('origin');
  const added =
    origin === null
      ? DATA_HEADERS
      : { ...DATA_HEADERS, [ALLOW_ORIGIN]: origin, 'access-control-expose-headers': EXPOSED_HEADERS };
  if (isHeaders(headers)) {
    for (const [name, value] of Object.entries(added)) headers.set(name, value);
    if (!isForAll) headers.append('vary', 'Origin');
    return response;
  }
  const vary = headers['vary'] === undefined ? 'Origin' : `${headers['vary']}, Origin`;
  const { status, body, onSent } = response;
  const all = { ...headers, ...added, ...(!isForAll && { vary }) };
  return onSent === undefined ? { status, headers: all, body } : { status, headers: all, body, onSent };
}
