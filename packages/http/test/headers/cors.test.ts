import { describe, expect, test } from 'vitest';
import { corsHeaders, preflightHeaders } from '../../src/headers/cors.js';

const ORIGIN = 'https://igv.org';

describe('corsHeaders', () => {
  test('copies the origin and exposes what scripts need to read blocks and errors', () => {
    const headers = new Headers(corsHeaders({ headers: new Headers({ origin: ORIGIN }) }));
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(headers.get('vary')).toBe('Origin');
    const exposed = headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['Content-Length', 'Content-Range', 'ETag', 'Retry-After']));
  });

  test('varies by origin, but allows nothing without one', () => {
    expect(corsHeaders({ headers: new Headers() })).toEqual({ Vary: 'Origin' });
  });
});

describe('preflightHeaders', () => {
  test('copies the origin and the requested headers, and holds for 30 days', () => {
    const request = {
      headers: new Headers({
        origin: ORIGIN,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization, range',
      }),
    };
    expect(preflightHeaders(request, ['GET', 'HEAD', 'POST'])).toEqual({
      'Access-Control-Allow-Origin': ORIGIN,
      'Access-Control-Allow-Methods': 'GET, HEAD, POST',
      'Access-Control-Allow-Headers': 'authorization, range',
      'Access-Control-Max-Age': '2592000',
      Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    });
  });

  test('lists no headers if none are requested', () => {
    const headers = preflightHeaders({ headers: new Headers({ origin: ORIGIN }) }, ['GET']);
    expect(headers).not.toHaveProperty('Access-Control-Allow-Headers');
  });

  test('allows nothing without an origin', () => {
    expect(preflightHeaders({ headers: new Headers() }, ['GET'])).not.toHaveProperty('Access-Control-Allow-Origin');
  });
});
