import { toExpress } from '@htskit/adapters/express';
import { toFastify } from '@htskit/adapters/fastify';
import { toHono } from '@htskit/adapters/hono';
import { toNodeListener } from '@htskit/adapters/node';
import { adapterBindings, type Send, type WireRequest } from '@htskit/testing/adapter-bindings';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ANSWERS,
  BAD_BODIES,
  BAD_QUERIES,
  BASE_ARRAYS,
  get,
  handlerOf,
  NOT_FOUND,
  post,
} from './collection-requests.js';
import { COMPARISONS, COMPLIANCE } from './published.js';

const { base, differentNames } = COMPLIANCE;
const ORIGIN = 'https://browser.example.org';
const ERROR_TYPE = 'application/vnd.ga4gh.refget.v2.0.0+json; charset=us-ascii';
const IMMUTABLE = 'public, max-age=31536000, immutable';

const errorOf = (status: number): object => ({
  status,
  headers: [ERROR_TYPE, 'no-store', ORIGIN],
  document: { status, type: expect.stringMatching(/./) as string, message: expect.stringMatching(/./) as string },
});

describe.each(adapterBindings({ toNodeListener, toExpress, toHono, toFastify }))('through %s', (_, bind) => {
  const closing: (() => void)[] = [];
  let send: Send;
  let sendReference: Send;
  beforeAll(async () => {
    const onClose = (close: () => void): void => void closing.push(close);
    send = await bind(handlerOf({ limits: { collectionBodyBytes: 4000 } }), onClose);
    sendReference = await bind(handlerOf({ comparisonRules: 'reference' }), onClose);
  });
  afterAll(() => {
    for (const close of closing) close();
  });

  const ask = (wire: WireRequest) => send({ ...wire, headers: { origin: ORIGIN, ...wire.headers } });

  async function describeError(response: Response): Promise<object> {
    const { status, headers } = response;
    const names = ['content-type', 'cache-control', 'access-control-allow-origin'];
    return { status, headers: names.map((name) => headers.get(name)), document: (await response.json()) as unknown };
  }

  test.each(ANSWERS)('%s is answered', async (path, document) => {
    const response = await ask(get(path));
    const text = await response.text();
    expect([response.status, JSON.parse(text)]).toEqual([200, document]);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('content-length')).toBe(String(text.length));
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(response.headers.get('vary')?.split(', ')).toEqual(expect.arrayContaining(['Accept', 'Origin']));
    expect(response.headers.get('cache-control')).toBe(path.startsWith('/list') ? 'public, no-cache' : IMMUTABLE);

    const entityTag = response.headers.get('etag') ?? '';
    expect(entityTag).toMatch(/^"[\w.-]+"$/);
    const unchanged = await ask(get(path, { 'if-none-match': entityTag }));
    expect([unchanged.status, await unchanged.text(), unchanged.headers.get('etag')]).toEqual([304, '', entityTag]);
    const head = await ask({ ...get(path), method: 'HEAD' });
    expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([
      200,
      '',
      String(text.length),
    ]);
  });

  test.each(COMPARISONS)('compares base and $name, also if the client sends one', async (other, expected) => {
    const response = await sendReference(get(`/comparison/${base.digest}/${other.digest}`));
    expect(await response.json()).toEqual(expected);
    expect(response.headers.get('cache-control')).toBe(IMMUTABLE);

    const sent = await (await send(get(`/collection/${other.digest}`))).text();
    const compared = await sendReference(post(`/comparison/${base.digest}`, sent));
    expect([compared.status, await compared.json()]).toEqual([200, expected]);
    expect(compared.headers.get('cache-control')).toBe('no-store');
  });

  test('compares a collection of the client like a stored one', async () => {
    const there = await ask(get(`/comparison/${base.digest}/${differentNames.digest}`));
    const sent = await (await send(get(`/collection/${differentNames.digest}`))).text();
    const compared = await ask(post(`/comparison/${base.digest}`, sent));
    expect(await compared.json()).toEqual(await there.json());
  });

  test.each(['application/x-www-form-urlencoded', 'text/plain'])('reads JSON that is sent as %s', async (type) => {
    const arrays = { names: ['chr1'], lengths: [4], topology: 'linear' };
    expect((await ask(post(`/comparison/${base.digest}`, arrays, { 'content-type': type }))).status).toBe(200);
  });

  test('compares coordinate systems alone', async () => {
    const compared = await ask(
      post(`/comparison/${base.digest}`, { names: ['chr1'], lengths: [4], topology: 'linear' }),
    );
    expect(await compared.json()).toEqual({
      digests: { a: base.digest, b: null },
      attributes: {
        a_only: ['name_length_pairs', 'sequences', 'sorted_sequences'],
        b_only: ['topology'],
        a_and_b: ['lengths', 'names', 'sorted_name_length_pairs'],
      },
      array_elements: {
        a_count: { lengths: 3, name_length_pairs: 3, names: 3, sequences: 3, sorted_sequences: 3 },
        b_count: { lengths: 1, names: 1 },
        a_and_b_count: { lengths: 1, names: 1 },
        a_and_b_same_order: { lengths: null, names: null },
      },
    });
  });

  test.each(NOT_FOUND)('%s is 404', async (path) => {
    expect(await describeError(await ask(get(path)))).toEqual(errorOf(404));
  });

  test.each(BAD_QUERIES)('%s is 400', async (path) => {
    expect(await describeError(await ask(get(path)))).toEqual(errorOf(400));
  });

  test.each(BAD_BODIES)('%s in a POST is an error', async (_name, wire, status) => {
    expect(await describeError(await ask(wire))).toEqual(errorOf(status));
  });

  test.each([
    ['POST', `/collection/${base.digest}`, 'GET, HEAD, OPTIONS'],
    ['POST', '/service-info', 'GET, HEAD, OPTIONS'],
    ['POST', `/comparison/${base.digest}/${base.digest}`, 'GET, HEAD, OPTIONS'],
    ['PUT', '/list/collection', 'GET, HEAD, OPTIONS'],
    ['GET', `/comparison/${base.digest}`, 'POST, OPTIONS'],
    ['DELETE', `/comparison/${base.digest}`, 'POST, OPTIONS'],
    ['GET', `/collection/${base.digest}/regions`, 'POST, OPTIONS'],
  ])('%s of %s is 405', async (method, path, allow) => {
    const response = await ask({ ...get(path), method });
    expect(response.headers.get('allow')).toBe(allow);
    expect(await describeError(response)).toEqual(errorOf(405));
  });

  test.each([
    [`/comparison/${base.digest}`, 'POST, OPTIONS'],
    [`/collection/${base.digest}/regions`, 'POST, OPTIONS'],
    [`/collection/${base.digest}`, 'GET, HEAD, OPTIONS'],
  ])('accepts a preflight of %s', async (path, methods) => {
    const headers = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
    const response = await ask({ method: 'OPTIONS', path, headers });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-methods')).toBe(methods);
    expect(response.headers.get('access-control-allow-headers')).toBe('content-type');
  });

  test.each([
    ['application/json', 200],
    ['*/*', 200],
    ['text/html, application/*;q=0.1', 200],
    ['text/html', 406],
    ['application/json;q=0', 406],
  ])('Accept: %s is %i everywhere', async (accept, status) => {
    const paths = [...ANSWERS.map(([path]) => path), '/service-info', `/comparison/${base.digest}/${base.digest}`];
    for (const path of paths) expect([path, (await ask(get(path, { accept }))).status]).toEqual([path, status]);
    const posted = await ask(post(`/comparison/${base.digest}`, BASE_ARRAYS, { accept }));
    expect(posted.status).toBe(status);
  });
});
