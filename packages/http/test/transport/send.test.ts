import { describe, expect, test } from 'vitest';
import { HttpError } from '../../src/transport/http-error.js';
import { isDowngrade, parseHttpUrl, prepareRequest, sendRequest } from '../../src/transport/send.js';
import { FakeTransport, streamed } from './fake-transport.js';

const URL_A = 'https://a.example/x';
const never = (): Promise<never> => new Promise(() => undefined);

function redirect(location: string, status = 302): Response {
  return new Response(null, { status, headers: { location } });
}

/** Answers with these responses in turn, and with 200 after them. */
function answering(...responses: readonly Response[]): () => Promise<Response> {
  const rest = [...responses];
  return async () => rest.shift() ?? new Response('done');
}

describe('a request', () => {
  test('resolves with any status as soon as its headers have arrived', async () => {
    const { transport } = new FakeTransport(async () => streamed([], { status: 503, end: 'stall' }));
    expect((await sendRequest(transport, { url: URL_A })).status).toBe(503);
  });

  test('is created by a function for each attempt', async () => {
    const fake = new FakeTransport(answering());
    await sendRequest(fake.transport, async () => ({ url: URL_A, method: 'PUT', body: 'x' }));
    expect(fake.requests[0]?.init).toMatchObject({ method: 'PUT', body: 'x', redirect: 'manual' });
  });

  test.each([
    ['secret\nvalue', 'x-key'],
    ['secret ☃', 'x-key'],
    ['secret', 'x key'],
  ])('with the header value %j is INVALID_REQUEST, and the error does not quote it', async (value, name) => {
    const fake = new FakeTransport(answering());
    const sending = sendRequest(fake.transport, { url: URL_A, originHeaders: { [name]: value } });
    const error: unknown = await sending.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'HttpError', code: 'INVALID_REQUEST', isTransient: false });
    expect((error as Error).cause).toBeUndefined();
    expect(String(error)).not.toContain('secret');
    expect(fake.requests).toEqual([]);
  });

  test('that cannot be created is INVALID_REQUEST with the cause', async () => {
    const cause = new Error('no key');
    const { transport } = new FakeTransport(answering());
    const sending = sendRequest(transport, () => Promise.reject(cause));
    await expect(sending).rejects.toMatchObject({ code: 'INVALID_REQUEST', cause });
    await expect(prepareRequest(transport, () => Promise.reject(cause))).rejects.toMatchObject({ cause });
  });

  test('that cannot connect is a transient NETWORK error without the URL', async () => {
    const cause = new TypeError(`fetch failed: ${URL_A}`);
    const { transport } = new FakeTransport(() => Promise.reject(cause));
    const error: unknown = await sendRequest(transport, { url: URL_A }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({ code: 'NETWORK', isTransient: true, cause, message: 'cannot connect to the server' });
  });

  test('without a response within the time limit is a transient STALLED error, and is aborted', async () => {
    let signal: AbortSignal | null | undefined;
    const fake = new FakeTransport((_url, init) => {
      signal = init.signal;
      return never();
    });
    const sending = sendRequest(fake.transport, { url: URL_A });
    const failure = sending.catch((error: unknown) => error);
    await fake.expire();
    expect(await failure).toMatchObject({ code: 'STALLED', isTransient: true });
    expect(signal?.aborted).toBe(true);
  });

  test('has the time limit once per MiB of its body', async () => {
    const fake = new FakeTransport(answering());
    await sendRequest(fake.transport, { url: URL_A, method: 'PUT', body: new Uint8Array(2.5 * 1024 * 1024) });
    await sendRequest(fake.transport, { url: URL_A });
    expect(fake.limits).toEqual([3_000_000, 1_000_000]);
  });

  test('fails with the reason of the signal, before and while it is sent', async () => {
    const controller = new AbortController();
    const fake = new FakeTransport(never, { signal: controller.signal });
    const failure = sendRequest(fake.transport, { url: URL_A }).catch((error: unknown) => error);
    controller.abort('enough');
    expect(await failure).toBe('enough');
    await expect(sendRequest(fake.transport, { url: URL_A })).rejects.toBe('enough');
    expect(fake.requests).toHaveLength(1);
  });

  test('fails with an error of the caller’s class', async () => {
    const { transport } = new FakeTransport(() => Promise.reject(new TypeError('failed')));
    const createError = ({ message }: { message: string }) =>
      Object.assign(new RangeError(message), { code: 'X', isTransient: true, retryAfterMilliseconds: undefined });
    await expect(sendRequest({ ...transport, createError }, { url: URL_A })).rejects.toBeInstanceOf(RangeError);
  });
});

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('with %i are followed, relative ones too', async (status) => {
    const fake = new FakeTransport(answering(redirect('/y', status)));
    await sendRequest(fake.transport, { url: URL_A });
    expect(fake.requests.map(({ url }) => url)).toEqual([URL_A, 'https://a.example/y']);
  });

  test('take origin headers to the same origin only, and do not bring them back', async () => {
    const fake = new FakeTransport(
      answering(redirect('/y'), redirect('https://b.example/'), redirect('https://a.example/z')),
    );
    await sendRequest(fake.transport, {
      url: URL_A,
      headers: { accept: 'text/plain' },
      originHeaders: { authorization: 'secret', 'x-key': 'secret' },
    });
    expect(fake.requests.map(({ headers }) => headers.get('authorization'))).toEqual(['secret', 'secret', null, null]);
    expect(fake.requests.map(({ headers }) => headers.get('x-key'))).toEqual(['secret', 'secret', null, null]);
    expect(fake.requests.every(({ headers }) => headers.get('accept') === 'text/plain')).toBe(true);
  });

  test.each([
    [301, 'POST', 'q'],
    [302, 'POST', 'q'],
    [307, 'POST', 'q'],
    [308, 'POST', 'q'],
    [303, 'GET', undefined],
  ])('of a POST with %i become a %s', async (status, method, body) => {
    const fake = new FakeTransport(answering(redirect('/y', status)));
    await sendRequest(fake.transport, { url: URL_A, method: 'POST', body: 'q' });
    expect([fake.requests[1]?.init.method, fake.requests[1]?.init.body]).toEqual([method, body]);
  });

  test('of a HEAD with 303 stay a HEAD', async () => {
    const fake = new FakeTransport(answering(redirect('/y', 303)));
    await sendRequest(fake.transport, { url: URL_A, method: 'HEAD' });
    expect(fake.requests[1]?.init.method).toBe('HEAD');
  });

  test.each(['file:///etc/passwd', 'ftp://a.example/', 'data:,x', 'http://[', 'https://user:secret@a.example/'])(
    'to %s are REDIRECT errors',
    async (location) => {
      const { transport } = new FakeTransport(answering(redirect(location)));
      const error: unknown = await sendRequest(transport, { url: URL_A }).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'REDIRECT', isTransient: false });
      expect(String(error)).not.toContain(location);
    },
  );

  test('from https to http are INSECURE unless they are allowed', async () => {
    const insecure = (): Response => redirect('http://a.example/');
    const { transport } = new FakeTransport(answering(insecure()));
    await expect(sendRequest(transport, { url: URL_A })).rejects.toMatchObject({ code: 'INSECURE' });
    const allowing = new FakeTransport(answering(insecure()), { allowInsecure: true });
    expect((await sendRequest(allowing.transport, { url: URL_A })).status).toBe(200);
  });

  describe('with redirectHosts', () => {
    test.each([
      'https://b.example/',
      'https://a.example:8443/',
      'http://169.254.169.254/latest/meta-data',
      'http://127.0.0.1:6379/',
      'https://a.example.evil.example/',
    ])('to %s are REDIRECT errors, and are not requested', async (location) => {
      const fake = new FakeTransport(answering(redirect(location)), { redirectHosts: [], allowInsecure: true });
      const error: unknown = await sendRequest(fake.transport, { url: URL_A }).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'REDIRECT', isTransient: false });
      expect(String(error)).not.toContain(location);
      expect(fake.requests).toHaveLength(1);
    });

    test('to the host of the request and to these hosts are followed', async () => {
      const locations = ['/y', 'https://b.example:8443/', 'https://b.example:8443/y', 'https://a.example/z'];
      const fake = new FakeTransport(answering(...locations.map((location) => redirect(location))), {
        redirectHosts: ['b.example:8443'],
      });
      expect((await sendRequest(fake.transport, { url: URL_A })).status).toBe(200);
      expect(fake.requests).toHaveLength(5);
    });

    test('from http to https of the same host are followed', async () => {
      const fake = new FakeTransport(answering(redirect('https://a.example/x')), { redirectHosts: [] });
      expect((await sendRequest(fake.transport, { url: 'http://a.example/x' })).status).toBe(200);
    });

    test('that a browser hides are REDIRECT errors', async () => {
      const opaque = Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
      const fake = new FakeTransport(answering(opaque), { redirectHosts: ['b.example'] });
      await expect(sendRequest(fake.transport, { url: URL_A })).rejects.toMatchObject({ code: 'REDIRECT' });
      expect(fake.requests).toHaveLength(1);
    });
  });

  test('beyond the limit are REDIRECT errors', async () => {
    const fake = new FakeTransport(async () => redirect('/again'), { maxRedirects: 3 });
    await expect(sendRequest(fake.transport, { url: URL_A })).rejects.toMatchObject({ code: 'REDIRECT' });
    expect(fake.requests).toHaveLength(4);
  });

  test('are the response if the request does not follow them, or without a Location', async () => {
    const { transport } = new FakeTransport(answering(redirect('/y'), new Response(null, { status: 302 })));
    expect((await sendRequest(transport, { url: URL_A, followsRedirects: false })).status).toBe(302);
    expect((await sendRequest(transport, { url: URL_A })).status).toBe(302);
  });

  test('that a browser hides are left to it, with Authorization as the only origin header', async () => {
    const opaque = Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
    const fake = new FakeTransport(answering(opaque));
    const originHeaders = { Authorization: 'secret', 'x-key': 'secret' };
    await sendRequest(fake.transport, { url: URL_A, headers: { accept: '*/*' }, originHeaders });
    expect(fake.requests.map(({ init }) => init.redirect)).toEqual(['manual', 'follow']);
    expect([...(fake.requests[1]?.headers.keys() ?? [])]).toEqual(['accept', 'authorization']);
  });

  test('have their short bodies read, so that the connection is reused', async () => {
    const body = streamed([new Uint8Array(10)], { status: 302, headers: { location: '/y' } });
    const { transport } = new FakeTransport(answering(body));
    await sendRequest(transport, { url: URL_A });
    expect([body.bodyUsed, body.isCancelled()]).toEqual([true, false]);
  });
});

test.each([
  ['https://a.example/x', undefined, 'https://a.example/x'],
  ['/y', URL_A, 'https://a.example/y'],
  ['x', undefined, undefined],
  ['ftp://a.example/', undefined, undefined],
  ['https://user@a.example/', undefined, undefined],
  ['https://:p@a.example/', undefined, undefined],
])('parses %j with the base %j as %j', (text, base, expected) => {
  expect(parseHttpUrl(text, base)?.href).toBe(expected);
});

test.each([
  ['https://a/', 'http://a/', true],
  ['https://a/', 'https://b/', false],
  ['http://a/', 'http://b/', false],
  ['http://a/', 'https://b/', false],
])('from %s to %s is a downgrade: %s', (from, to, expected) => {
  expect(isDowngrade(from, to)).toBe(expected);
});
