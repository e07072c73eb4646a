import type { ServerResponse } from 'node:http';
import type { Ticket } from '@htskit/protocol';
import { describe, expect, test } from 'vitest';
import { fetchTicket, openHtsget, streamTicket } from '../../src/index.js';
import { collect, type RecordingServer, serve, withoutDelays } from '../listen.js';
import { sendBytes, someText } from '../resource-server.js';

const TICKET: Ticket = { htsget: { format: 'BAM', urls: [] } };

function send(response: ServerResponse, document: object = TICKET): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
}

function headersOf({ requests }: RecordingServer, name: string): unknown[] {
  return requests.map(({ headers }) => headers[name]);
}

describe('a request for a ticket', () => {
  test('names both spellings of the media type, and the caller’s first', async () => {
    const server = await serve({ '/reads/1': (_request, response) => send(response) });
    await fetchTicket(`${server.origin}/reads/1`);
    await fetchTicket(`${server.origin}/reads/1`, {}, { authority: 'std' });
    const accepts = headersOf(server, 'accept').map(String);
    expect(accepts.map((accept) => accept.split(', ').slice(0, 2))).toEqual([
      ['application/vnd.ga4gh.htsget.v1.0.0+json', 'application/vnd.std.htsget.v1.0.0+json;q=0.9'],
      ['application/vnd.std.htsget.v1.0.0+json', 'application/vnd.ga4gh.htsget.v1.0.0+json;q=0.9'],
    ]);
    // Beyond that, browsers ask the server first.
    expect(Math.max(...accepts.map(({ length }) => length))).toBeLessThanOrEqual(128);
  });

  test('sends the caller’s headers to the same origin, and to no other', async () => {
    const target = await serve({ '/reads/1': (_request, response) => send(response) });
    const server = await serve({
      '/reads/1': (_request, response) => response.writeHead(302, { location: '/moved' }).end(),
      '/moved': (_request, response) => response.writeHead(307, { location: `${target.origin}/reads/1` }).end(),
    });
    const headers = { Authorization: 'Bearer secret', 'X-Key': 'k' };
    await fetchTicket(`${server.origin}/reads/1`, {}, { headers });
    expect(headersOf(server, 'authorization')).toEqual(['Bearer secret', 'Bearer secret']);
    expect([headersOf(target, 'authorization'), headersOf(target, 'x-key')]).toEqual([[undefined], [undefined]]);
    expect(headersOf(target, 'accept')[0]).toContain('htsget');
  });

  test('that returns to its origin through another one has no credentials left', async () => {
    const home: { origin?: string } = {};
    const away = await serve({
      '/1': (_request, response) => response.writeHead(302, { location: `${home.origin}/end` }).end(),
    });
    const server = await serve({
      '/reads/1': (_request, response) => response.writeHead(302, { location: `${away.origin}/1` }).end(),
      '/end': (_request, response) => send(response),
    });
    home.origin = server.origin;
    await fetchTicket(`${server.origin}/reads/1`, {}, { headers: { authorization: 'Bearer secret' } });
    expect(headersOf(server, 'authorization')).toEqual(['Bearer secret', undefined]);
  });

  test.each([
    [302, 'POST'],
    [308, 'POST'],
    [303, 'GET'],
  ])('that is redirected with %i becomes a %s', async (status, method) => {
    const server = await serve({
      '/reads/1': (_request, response) => response.writeHead(status, { location: '/moved' }).end(),
      '/moved': (_request, response) => send(response),
    });
    await fetchTicket(`${server.origin}/reads/1`, {}, { method: 'POST' });
    expect(server.requests.map((request) => request.method)).toEqual(['POST', method]);
  });

  test.each([
    ['again and again', '/reads/1', 'REDIRECT'],
    ['to a file', 'file:///etc/passwd', 'REDIRECT'],
    ['to a data URI', 'data:,{}', 'REDIRECT'],
    ['to nowhere', 'http://[', 'REDIRECT'],
    ['with credentials', 'http://user:password@127.0.0.1/', 'REDIRECT'],
  ])('that is redirected %s is given up', async (_, location, code) => {
    const server = await serve({ '/reads/1': (_request, response) => response.writeHead(302, { location }).end() });
    await expect(fetchTicket(`${server.origin}/reads/1`)).rejects.toMatchObject({ name: 'HtsgetClientError', code });
  });

  test('is not redirected from https to http', async () => {
    const fetch = async (): Promise<Response> =>
      new Response(null, { status: 302, headers: { location: 'http://host/' } });
    await expect(fetchTicket('https://host/reads/1', {}, { fetch })).rejects.toMatchObject({ code: 'INSECURE' });
  });

  test('that a browser redirects by itself takes Authorization along, which the browser drops, and no other header', async () => {
    const sent: RequestInit[] = [];
    const fetch = async (_url: string, init: RequestInit): Promise<Response> => {
      sent.push(init);
      if (init.redirect === 'follow') return Response.json(TICKET);
      return Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
    };
    const headers = { authorization: 'Bearer secret', 'x-key': 'k' };
    await fetchTicket('https://host/reads/1', {}, { fetch, headers });
    expect(sent.map((init) => Object.keys(init.headers ?? {}))).toEqual([
      ['accept', 'authorization', 'x-key'],
      ['accept', 'authorization'],
    ]);
  });

  test('is retried after a transient failure, and not after others', async () => {
    const server = await serve({
      '/reads/1': (_request, response, count) => {
        if (count === 0) response.writeHead(503, { 'retry-after': '1' }).end();
        else if (count === 1) response.destroy();
        else send(response);
      },
      '/reads/2': (_request, response) =>
        response.writeHead(403).end('{"htsget":{"error":"PermissionDenied","message":"no"}}'),
    });
    expect(await fetchTicket(`${server.origin}/reads/1`, {}, withoutDelays)).toEqual(TICKET);
    await expect(fetchTicket(`${server.origin}/reads/2`, {}, withoutDelays)).rejects.toMatchObject({
      status: 403,
      error: 'PermissionDenied',
      message: 'the server answered HTTP 403, PermissionDenied: no',
    });
    expect(server.requests.length).toBe(4);
  });

  test('quotes no control characters of the server', async () => {
    const message = '\u001b[2Jgone';
    const server = await serve({
      '/reads/1': (_request, response) => response.writeHead(400).end(JSON.stringify({ htsget: { message } })),
    });
    await expect(fetchTicket(`${server.origin}/reads/1`)).rejects.toThrow(
      /^the server answered HTTP 400, {2}\[2Jgone$/,
    );
  });

  test.each([
    ['is announced to be long', { 'content-length': String(2 ** 30) }],
    ['turns out to be long', {}],
  ])('is given up where the answer %s', async (_, headers) => {
    const server = await serve({
      '/reads/1': (_request, response) => response.writeHead(200, headers).write(' '.repeat(2000)),
    });
    const reading = fetchTicket(`${server.origin}/reads/1`, {}, { maxTicketBytes: 1000 });
    await expect(reading).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  test('ends with the caller’s signal', async () => {
    const controller = new AbortController();
    const server = await serve({ '/reads/1': () => controller.abort(new Error('enough')) });
    const reading = fetchTicket(`${server.origin}/reads/1`, {}, { signal: controller.signal });
    await expect(reading).rejects.toThrow('enough');
  });
});

describe('a request for a block', () => {
  test('has the headers of the ticket, also after a redirect, and not those of the caller', async () => {
    const bytes = someText(100);
    const store = await serve({ '/1': (request, response) => sendBytes(request, response, bytes) });
    const server = await serve({
      '/block': (_request, response) => response.writeHead(302, { location: `${store.origin}/1` }).end(),
      '/variants/1?format=VCFTEXT': (request, response) => {
        const url = `http://${request.headers.host}/block`;
        send(response, { htsget: { format: 'VCFTEXT', urls: [{ url, headers: { 'X-Block': 'b' } }] } });
      },
    });
    const endpoint = { baseUrl: server.origin, datatype: 'variants', id: '1' } as const;
    const headers = { Authorization: 'Bearer secret' };
    const { stream } = await openHtsget(endpoint, { format: 'VCFTEXT' }, { headers });
    expect(await collect(stream)).toEqual(bytes);
    expect(headersOf(server, 'authorization')).toEqual(['Bearer secret', undefined]);
    expect([headersOf(store, 'x-block'), headersOf(store, 'authorization')]).toEqual([['b'], [undefined]]);
  });

  test('is sent when its bytes are requested, and aborted when the stream is cancelled', async () => {
    const closed: Promise<unknown>[] = [];
    const server = await serve({
      '/block': (_request, response) => {
        closed.push(new Promise((resolve) => response.once('close', resolve)));
        response.writeHead(200).write('#');
      },
    });
    const stream = streamTicket({ htsget: { format: 'VCFTEXT', urls: [{ url: `${server.origin}/block` }] } });
    expect(server.requests.length).toBe(0);
    const reader = stream.getReader();
    expect(await reader.read()).toMatchObject({ done: false });
    await reader.cancel();
    await Promise.all(closed);
    expect(server.requests.length).toBe(1);
  });

  test('fails with the reason of the caller’s signal', async () => {
    const controller = new AbortController();
    const server = await serve({ '/block': (_request, response) => response.writeHead(200).write('#') });
    const ticket: Ticket = { htsget: { format: 'VCFTEXT', urls: [{ url: `${server.origin}/block` }] } };
    const reader = streamTicket(ticket, { signal: controller.signal }).getReader();
    await reader.read();
    controller.abort(new Error('enough'));
    await expect(reader.read()).rejects.toThrow('enough');
  });
});
