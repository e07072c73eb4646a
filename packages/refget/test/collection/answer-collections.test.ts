import { toExpress } from '@htskit/adapters/express';
import { toFastify } from '@htskit/adapters/fastify';
import { toHono } from '@htskit/adapters/hono';
import { toNodeListener } from '@htskit/adapters/node';
import { sha512t24u } from '@htskit/digest';
import { RefgetError } from '@htskit/protocol';
import { adapterBindings, type Send, type WireRequest } from '@htskit/testing/adapter-bindings';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCatalogue } from '../../src/catalogue.js';
import { createCollectionCatalogue } from '../../src/collection/collection-catalogue.js';
import { sequenceCollection } from '../../src/collection/sequence-collection.js';
import { createRefgetHandler } from '../../src/handler.js';
import type { RefgetOptions } from '../../src/options.js';
import { LINEAR } from '../sequence-service.js';
import { COMPARISONS, COMPLIANCE } from './published.js';

const { base, subset, differentNames } = COMPLIANCE;
const ORIGIN = 'https://browser.example.org';
const ERROR_TYPE = 'application/vnd.ga4gh.refget.v2.0.0+json; charset=us-ascii';
const IMMUTABLE = 'public, max-age=31536000, immutable';

const collections = createCollectionCatalogue(
  await Promise.all(Object.values(COMPLIANCE).map(({ members }) => sequenceCollection(members))),
);
const handlerOf = (options: Partial<RefgetOptions> = {}) =>
  createRefgetHandler({ catalogue: createCatalogue([LINEAR]), collections, ...options });

const BASE_ARRAYS = {
  lengths: [8, 4, 4],
  name_length_pairs: base.members.map(({ name, metadata }) => ({ length: metadata.length, name })),
  names: ['chrX', 'chr1', 'chr2'],
  sequences: base.members.map(({ metadata }) => metadata.sha512t24u),
  sorted_sequences: base.members.map(({ metadata }) => metadata.sha512t24u).sort(),
};
const SORTED_DIGESTS = Object.values(COMPLIANCE)
  .map(({ digest }) => digest)
  .sort();

const get = (path: string, headers: Record<string, string> = {}): WireRequest => ({ method: 'GET', path, headers });
const post = (path: string, body: unknown, headers: Record<string, string> = {}): WireRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

const pagination = (page: number, pageSize: number, total = 6) => ({ page, page_size: pageSize, total });

const errorOf = (status: number): object => ({
  status,
  headers: [ERROR_TYPE, 'no-store', ORIGIN],
  document: { status, type: expect.stringMatching(/./) as string, message: expect.stringMatching(/./) as string },
});

/** Requests and the documents that answer them. */
const ANSWERS: readonly (readonly [path: string, document: unknown])[] = [
  [`/collection/${base.digest}`, BASE_ARRAYS],
  [`/collection/${base.digest}/?level=2`, BASE_ARRAYS],
  [`/collection/${base.digest}?level=1&unknown=1`, base.level1],
  [`/collection/${base.digest}?level=0`, base.digest],
  [`/attribute/collection/lengths/${base.level1.lengths}`, BASE_ARRAYS.lengths],
  [`/attribute/collection/names/${base.level1.names}`, BASE_ARRAYS.names],
  [`/attribute/collection/sequences/${base.level1.sequences}`, BASE_ARRAYS.sequences],
  [`/attribute/collection/sorted_sequences/${base.level1.sorted_sequences}`, BASE_ARRAYS.sorted_sequences],
  [`/attribute/collection/name_length_pairs/${base.level1.name_length_pairs}`, BASE_ARRAYS.name_length_pairs],
  ['/list/collection', { results: SORTED_DIGESTS, pagination: pagination(0, 100) }],
  ['/list/collection?page=1&page_size=4', { results: SORTED_DIGESTS.slice(4), pagination: pagination(1, 4) }],
  ['/list/collection?page=1000000000&page_size=10000', { results: [], pagination: pagination(1e9, 10_000) }],
  [
    `/list/collection?names=${base.level1.names}&lengths=${base.level1.lengths}`,
    { results: [base.digest], pagination: pagination(0, 100, 1) },
  ],
  [
    `/list/collection?names=${base.level1.names}&names=${subset.level1.names}`,
    { results: [], pagination: pagination(0, 100, 0) },
  ],
  ['/list/collection?sorted_name_length_pairs=unknown', { results: [], pagination: pagination(0, 100, 0) }],
];

const NOT_FOUND = [
  '/collection/unknown',
  `/collection/${base.digest.toLowerCase()}`,
  `/collection/${base.level1.names}`,
  '/collection',
  `/comparison/${base.digest}/unknown`,
  `/comparison/unknown/${base.digest}`,
  '/list/sequence',
  `/attribute/collection/names/${base.level1.lengths}`,
  `/attribute/collection/unknown/${base.level1.names}`,
  `/attribute/collection/constructor/${base.level1.names}`,
  // Transient: it is a digest only.
  `/attribute/collection/sorted_name_length_pairs/${base.level1.sorted_name_length_pairs}`,
];

const BAD_QUERIES = [
  ...['3', '-1', '', 'two', '1.0', '01', '1&level=1'].map((level) => `/collection/${base.digest}?level=${level}`),
  ...['-1', '', '1.5', 'x', '1000000001', '99999999999999999999', '0&page=0'].map(
    (page) => `/list/collection?page=${page}`,
  ),
  ...['0', '-1', '', '10001', '1e3', '1&page_size=1'].map((size) => `/list/collection?page_size=${size}`),
  '/list/collection?unknown=1',
  '/list/collection?__proto__=1',
  `/list/collection?Names=${base.level1.names}`,
];

const BAD_BODIES: readonly (readonly [name: string, request: WireRequest, status: number])[] = [
  ['no body', post(`/comparison/${base.digest}`, ''), 400],
  ['no JSON', post(`/comparison/${base.digest}`, '{'), 400],
  ['an array', post(`/comparison/${base.digest}`, []), 400],
  ['nothing to compare', post(`/comparison/${base.digest}`, {}), 400],
  ['another media type', post(`/comparison/${base.digest}`, BASE_ARRAYS, { 'content-type': 'text/plain' }), 400],
  ['an unknown digest', post('/comparison/unknown', BASE_ARRAYS), 404],
  ['more bytes than the limit', post(`/comparison/${base.digest}`, { names: ['x'.repeat(5000)] }), 413],
];

describe.each(adapterBindings({ toNodeListener, toExpress, toHono, toFastify }))('through %s', (_, bind) => {
  const closing: (() => void)[] = [];
  let send: Send;
  let sendReference: Send;
  beforeAll(async () => {
    const onClose = (close: () => void): void => void closing.push(close);
    send = await bind(handlerOf({ collectionBodyBytes: 4000 }), onClose);
    sendReference = await bind(handlerOf({ comparisonRules: 'reference' }), onClose);
  });
  afterAll(() => {
    for (const close of closing) close();
  });

  const ask = (wire: WireRequest) => send({ ...wire, headers: { origin: ORIGIN, ...wire.headers } });

  async function describeError(response: Response): Promise<object> {
    const { status, headers } = response;
    const names = ['content-type', 'cache-control', 'access-control-allow-origin'];
    return { status, headers: names.map((name) => headers.get(name)), document: await response.json() };
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

  test.each(COMPARISONS)('base and $name are compared, also where the client sends one', async (other, expected) => {
    const response = await sendReference(get(`/comparison/${base.digest}/${other.digest}`));
    expect(await response.json()).toEqual(expected);
    expect(response.headers.get('cache-control')).toBe(IMMUTABLE);

    const sent = await (await send(get(`/collection/${other.digest}`))).text();
    const compared = await sendReference(post(`/comparison/${base.digest}`, sent));
    expect([compared.status, await compared.json()]).toEqual([200, expected]);
    expect(compared.headers.get('cache-control')).toBe('no-store');
  });

  test('a collection that the client sends compares like one that is there', async () => {
    const there = await ask(get(`/comparison/${base.digest}/${differentNames.digest}`));
    const sent = await (await send(get(`/collection/${differentNames.digest}`))).text();
    const compared = await ask(post(`/comparison/${base.digest}`, sent));
    expect(await compared.json()).toEqual(await there.json());
  });

  test('coordinates alone can be compared', async () => {
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
  ])('%s of %s is 405', async (method, path, allow) => {
    const response = await ask({ ...get(path), method });
    expect(response.headers.get('allow')).toBe(allow);
    expect(await describeError(response)).toEqual(errorOf(405));
  });

  test.each([
    [`/comparison/${base.digest}`, 'POST, OPTIONS'],
    [`/collection/${base.digest}`, 'GET, HEAD, OPTIONS'],
  ])('a preflight of %s is accepted', async (path, methods) => {
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

const call = (options: Partial<RefgetOptions>, path: string, init?: RequestInit) =>
  handlerOf(options)(new Request(`http://localhost${path}`, init));

test.each(['ga4gh', 'std'] as const)('service-info has the schema, and names the authority %s', async (authority) => {
  const response = await call(
    { authority, serviceInfo: { id: 'org.example.refget', name: 'Example' } },
    '/service-info',
  );
  expect(await response.json()).toMatchObject({
    id: 'org.example.refget.seqcol',
    name: 'Example',
    type: { group: `org.${authority}`, artifact: 'refget-seqcol', version: '1.0.0' },
    seqcol: {
      schema: {
        type: 'object',
        properties: {
          lengths: { type: 'array', collated: true, items: { type: 'integer' } },
          names: { type: 'array', collated: true, items: { type: 'string' } },
          sequences: { type: 'array', collated: true, items: { type: 'string' } },
          name_length_pairs: { type: 'array', collated: true, items: { type: 'object' } },
          sorted_sequences: { type: 'array', collated: false },
          sorted_name_length_pairs: { type: 'array', collated: false },
        },
        required: ['lengths', 'names', 'sequences'],
        [authority]: { inherent: ['names', 'sequences'], passthru: [], transient: ['sorted_name_length_pairs'] },
      },
    },
  });
});

test('Accept chooses the authority of service-info', async () => {
  const accept = 'application/json, application/vnd.std.refget.v2.0.0+json';
  const response = await call({}, '/service-info', { headers: { accept } });
  expect(await response.json()).toMatchObject({ type: { group: 'org.std' } });
});

test('service-info of the sequences stays where it is', async () => {
  const response = await call({}, '/sequence/service-info');
  expect(await response.json()).toMatchObject({ type: { artifact: 'refget' } });
});

test('an attribute is sent as the bytes that its digest is of', async () => {
  for (const [name, digest] of Object.entries(base.level1).filter(([attribute]) => attribute in BASE_ARRAYS)) {
    const response = await call({}, `/attribute/collection/${name}/${digest}`);
    expect(sha512t24u(new Uint8Array(await response.arrayBuffer()))).toBe(digest);
  }
});

test('names of other scripts arrive, with the length in bytes', async () => {
  const members = [{ name: '染色体', metadata: { length: 1, sha512t24u: 'SQ.AcLxtBuKEPk_7PGE_H4dGElwZHCujwH6' } }];
  const collection = await sequenceCollection(members);
  const own = createCollectionCatalogue([collection]);
  const response = await call({ collections: own }, `/collection/${collection.digest}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(response.headers.get('content-length')).toBe(String(bytes.length));
  expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({ names: ['染色体'] });
});

test('a long collection is made as the client reads it', async () => {
  const sha512t24u = 'SQ.AcLxtBuKEPk_7PGE_H4dGElwZHCujwH6';
  const members = Array.from({ length: 20_000 }, (_, index) => ({
    name: `t${index}`,
    metadata: { length: 1, sha512t24u },
  }));
  const collection = await sequenceCollection(members);
  const own = createCollectionCatalogue([collection]);
  const response = await call({ collections: own }, `/collection/${collection.digest}`);
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(first?.value?.length).toBeLessThan(2 * 65_600);
  await reader?.cancel();
  const whole = await (await call({ collections: own }, `/collection/${collection.digest}`)).text();
  expect(JSON.parse(whole)).toMatchObject({ names: members.map(({ name }) => name) });
  expect(response.headers.get('content-length')).toBe(String(whole.length));
});

test('whoever may not read sequences may read no collections, but service-info', async () => {
  const guarded = {
    authorize: () => {
      throw new RefgetError('Unauthorized', 'a token is needed');
    },
  };
  for (const [path] of ANSWERS) expect((await call(guarded, path)).status).toBe(401);
  const posted = await call(guarded, `/comparison/${base.digest}`, { method: 'POST', body: '{}' });
  expect(posted.status).toBe(401);
  expect((await call(guarded, '/service-info')).status).toBe(200);
  const allowed = await call({ authorize: () => undefined }, `/collection/${base.digest}`);
  expect(allowed.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
});

test('without collections their paths lead nowhere', async () => {
  const handle = createRefgetHandler({ catalogue: createCatalogue([LINEAR]) });
  for (const path of ['/service-info', '/list/collection', `/collection/${base.digest}`]) {
    expect((await handle(new Request(`http://localhost${path}`))).status).toBe(404);
  }
});

test('a catalogue that fails is a 500 that is told of', async () => {
  const failure = new Error('secret');
  const told: unknown[] = [];
  const failing = { ...collections, find: () => Promise.reject(failure) };
  const response = await call({ collections: failing, onError: (error) => told.push(error) }, '/collection/x');
  expect([response.status, told]).toEqual([500, [failure]]);
  expect(await response.text()).not.toContain('secret');
});

test.each([-1, 1.5, Number.NaN])('a limit of %d bytes is refused', (collectionBodyBytes) => {
  expect(() => handlerOf({ collectionBodyBytes })).toThrow(RangeError);
});
