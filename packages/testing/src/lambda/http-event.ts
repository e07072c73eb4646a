import type { IncomingMessage } from 'node:http';

/** An event of a function URL: payload format version 2.0. */
export interface HttpEvent {
  readonly version: '2.0';
  readonly rawPath: string;
  readonly rawQueryString: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestContext: object;
  readonly body?: string;
  readonly isBase64Encoded: boolean;
}

/** The media types of bodies that an event has as text. */
const TEXT = /^(?:text\/|application\/(?:json|xml|javascript|x-www-form-urlencoded))/i;

/** Creates the event of a request, as a function URL with a domain name does. */
export function toHttpEvent(
  { method = 'GET', url = '/', headers: { cookie, ...sent }, socket }: IncomingMessage,
  { body, domainName, requestId }: { readonly body: Buffer; readonly domainName: string; readonly requestId: string },
): HttpEvent {
  const [rawPath = '', ...query] = url.split('?');
  const sourceIp = socket.remoteAddress ?? '';
  const headers = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)]));
  const isText = TEXT.test(headers['content-type'] ?? '');
  const http = { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp, userAgent: headers['user-agent'] ?? '' };
  return {
    version: '2.0',
    ...{ routeKey: '$default', rawPath, rawQueryString: query.join('?') },
    ...(cookie !== undefined && { cookies: cookie.split('; ') }),
    headers: { ...headers, host: domainName, 'x-forwarded-proto': 'https', 'x-forwarded-for': sourceIp },
    requestContext: {
      ...{ accountId: 'anonymous', apiId: 'function', domainName, domainPrefix: 'function', http, requestId },
      ...{ routeKey: '$default', stage: '$default', time: '01/Jan/2030:00:00:00 +0000', timeEpoch: 1_893_456_000_000 },
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}
