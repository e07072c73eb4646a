import { describe, expect, test } from 'vitest';
import type { DrsEvent, DrsObject } from '../src/index.js';
import { faultsOf } from './schema.js';
import {
  API,
  ask,
  authorize,
  BAI,
  BAM,
  bearer,
  checksumsOf,
  describeObject,
  PUBLIC_URL,
  post,
  serviceOf,
  sourceOf,
} from './service.js';

test('describes a file with all that DRS requires', async () => {
  const found = await describeObject(serviceOf(), 'a.bam');
  expect(faultsOf('DrsObject', found)).toEqual([]);
  expect(found).toMatchObject({
    id: 'a.bam',
    name: 'a.bam',
    self_uri: 'drs://data.example.org/a.bam',
    size: 1000,
    created_time: '2026-01-31T12:00:00.000Z',
    updated_time: '2026-01-31T12:00:00.000Z',
    mime_type: 'application/octet-stream',
    checksums: checksumsOf(BAM),
    aliases: ['sample:1'],
    access_methods: [
      { type: 'https', access_url: { url: `${PUBLIC_URL}/files/a.bam` }, access_id: 'https' },
      { type: 'htsget', access_url: { url: `${PUBLIC_URL}/reads/a?format=BAM` } },
    ],
  });
});

test('names the same version in a description and as the entity tag of the bytes', async () => {
  const handler = serviceOf();
  const { version } = await describeObject(handler, 'a.bam');
  const response = await ask(handler, '/files/a.bam', { method: 'HEAD' });
  expect(response.headers.get('etag')).toBe(`"${version}"`);
});

test.each(['deep%2Fb%20c.bam', 'deep/b%20c.bam'])('finds an id with a slash as %s', async (path) => {
  const found = (await (await ask(serviceOf(), `${API}/objects/${path}`)).json()) as DrsObject;
  expect(faultsOf('DrsObject', found)).toEqual([]);
  expect(found).toMatchObject({
    id: 'deep/b c.bam',
    name: 'b_c.bam',
    self_uri: 'drs://data.example.org/deep%2Fb%20c.bam',
  });
});

test('finds the access id of an id with an unencoded slash', async () => {
  const response = await ask(serviceOf(), `${API}/objects/deep/b%20c.bam/access/https`);
  expect(await response.json()).toEqual({ url: `${PUBLIC_URL}/files/deep/b%20c.bam` });
});

test('describes a bundle by the checksums of its contents', async () => {
  const handler = serviceOf();
  const found = await describeObject(handler, 'reads/a');
  expect(faultsOf('DrsObject', found)).toEqual([]);
  const [bam, bai] = [checksumsOf(BAM), checksumsOf(BAI)];
  const unite = (index: number): string => [bam[index]?.checksum ?? '', bai[index]?.checksum ?? ''].sort().join('');
  expect(found).toMatchObject({
    size: BAM.length + BAI.length,
    checksums: [checksumsOf(unite(0))[0], checksumsOf(unite(1))[1]],
    contents: [
      { id: 'a.bam', name: 'a.bam', drs_uri: ['drs://data.example.org/a.bam'] },
      { id: 'a.bam.bai', name: 'a.bam.bai' },
    ],
  });
  expect(found.access_methods).toBeUndefined();
});

test('lists the contents of nested bundles with expand only', async () => {
  const handler = serviceOf();
  const path = `${API}/objects/nested`;
  const plain = (await (await ask(handler, path)).json()) as DrsObject;
  const expanded = (await (await ask(handler, `${path}?expand=true`)).json()) as DrsObject;
  expect(await (await ask(handler, `${path}?expand=True`)).json()).toEqual(expanded);
  const posted = (await (await ask(handler, path, post({ expand: true }))).json()) as DrsObject;
  for (const each of [plain, expanded, posted]) expect(faultsOf('DrsObject', each)).toEqual([]);
  expect(plain.contents?.[0]?.contents).toBeUndefined();
  expect(expanded.contents?.[0]?.contents?.map(({ id }) => id)).toEqual(['a.bam', 'a.bam.bai']);
  expect(posted).toEqual(expanded);
  expect((await ask(handler, `${path}?expand=yes`)).status).toBe(400);
});

test('refuses a bundle that contains itself, and one with too many objects', async () => {
  const loop = { kind: 'bundle', id: 'loop', contents: [{ id: 'loop', name: 'loop' }] } as const;
  const handler = serviceOf({ limits: { bundleObjects: 1 } }, { loop });
  expect((await ask(handler, `${API}/objects/loop`)).status).toBe(500);
  expect((await ask(handler, `${API}/objects/reads%2Fa`)).status).toBe(500);
});

test('describes several objects, and gives the status of each that it does not', async () => {
  const handler = serviceOf({ authorize: ({ id }) => (id === 'a.bam.bai' ? 'forbidden' : 'all') });
  const ids = ['a.bam', 'missing', 'a.bam.bai', 'gone', '../etc/passwd'];
  const response = await ask(handler, `${API}/objects`, post({ bulk_object_ids: ids }));
  const answer = (await response.json()) as { readonly resolved_drs_object: readonly DrsObject[] };
  expect(faultsOf('BulkObjects', answer)).toEqual([]);
  expect(answer).toMatchObject({
    summary: { requested: 5, resolved: 1, unresolved: 4 },
    unresolved_drs_objects: [
      { error_code: 403, object_ids: ['a.bam.bai'] },
      { error_code: 404, object_ids: ['missing', 'gone', '../etc/passwd'] },
    ],
  });
  expect(answer.resolved_drs_object[0]?.id).toBe('a.bam');
});

test.each([
  [{ bulk_object_ids: [] }, 400],
  [{ bulk_object_ids: 'a.bam' }, 400],
  [{ bulk_object_ids: [1] }, 400],
  [{ bulk_object_ids: ['a', 'b', 'c'] }, 413],
  [{ bulk_object_ids: ['a'], passports: 'x' }, 400],
  [[], 400],
  ['x'.repeat(2000), 413],
])('refuses the bulk request %j with %i', async (body, status) => {
  const handler = serviceOf({ limits: { bulkObjects: 2, bodyBytes: 1000 } });
  const response = await ask(handler, `${API}/objects`, post(body));
  expect(response.status).toBe(status);
  expect(faultsOf('Error', await response.json())).toEqual([]);
});

test('returns service-info with the limit of bulk requests', async () => {
  const response = await ask(serviceOf({ limits: { bulkObjects: 7 } }), `${API}/service-info`);
  const answer: unknown = await response.json();
  expect(faultsOf('ServiceInfo', answer)).toEqual([]);
  expect(answer).toMatchObject({
    type: { version: '1.5.0' },
    maxBulkRequestLength: 7,
    drs: { maxBulkRequestLength: 7 },
  });
});

test('accepts ids with the compact prefix, and names them as aliases', async () => {
  const handler = serviceOf({ compactPrefix: 'drs.42', hostname: 'other.example.org' });
  const found = await describeObject(handler, 'drs.42:a.bam');
  expect(found).toMatchObject({
    id: 'a.bam',
    self_uri: 'drs://other.example.org/a.bam',
    aliases: ['sample:1', 'drs://drs.42:a.bam'],
  });
  const bulk = await ask(handler, `${API}/objects`, post({ bulk_object_ids: ['drs.42:a.bam'] }));
  expect(await bulk.json()).toMatchObject({ summary: { resolved: 1 } });
  expect((await ask(serviceOf(), `${API}/objects/drs.42:a.bam`)).status).toBe(404);
});

test.each([
  '/nowhere',
  `${API}/nothing`,
  `${API}/objects/missing`,
  `${API}/objects/..%2Fa.bam`,
  `${API}/objects/a%00.bam`,
  `${API}/objects/%zz`,
  `${API}/objects/${'a'.repeat(1_000_000)}`,
  `${API}/objects/__proto__`,
  `${API}/objects/a.bam/access/s3`,
  `${API}/objects/reads%2Fa/access/https`,
  '/fasta/objects/a.bam/index',
  '/files/missing',
  '/files/..%2Fa.bam',
  '/files/a%2F..%2Fa.bam',
  '/files//a.bam',
  '/files/reads%2Fa',
])('returns 404 with the error of DRS for %.60s', async (path) => {
  const response = await ask(serviceOf(), path);
  expect(response.status).toBe(404);
  const answer: unknown = await response.json();
  expect(faultsOf('Error', answer)).toEqual([]);
  expect(answer).toMatchObject({ status_code: 404 });
});

test.each([
  ['DELETE', `${API}/objects/a.bam`, 'GET, HEAD, POST, OPTIONS'],
  ['GET', `${API}/objects`, 'POST, OPTIONS'],
  ['GET', `${API}/objects/access`, 'POST, OPTIONS'],
  ['POST', '/files/a.bam', 'GET, HEAD, OPTIONS'],
])('refuses %s %s with the methods that are allowed', async (method, path, allow) => {
  const response = await ask(serviceOf(), path, { method });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe(allow);
});

test('answers HEAD as GET without the body', async () => {
  const response = await ask(serviceOf(), `${API}/objects/a.bam`, { method: 'HEAD' });
  expect([response.status, await response.text()]).toEqual([200, '']);
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(100);
});

test('answers preflights, and exposes headers to scripts', async () => {
  const handler = serviceOf({ authorize });
  const headers = { origin: 'https://a.example', 'access-control-request-method': 'GET' };
  const preflight = await ask(handler, `${API}/objects/a.bam`, { method: 'OPTIONS', headers });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
  const refused = await ask(handler, '/files/a.bam', { headers: { origin: 'https://a.example' } });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
});

describe('events', () => {
  test('are one for each object of a request, refusals included', async () => {
    const events: DrsEvent[] = [];
    const handler = serviceOf({ authorize, onEvent: (event) => events.push(event) });
    await describeObject(handler, 'a.bam', bearer('owner'));
    await ask(handler, `${API}/objects/a.bam`);
    await ask(handler, `${API}/objects`, post({ bulk_object_ids: ['a.bam', 'missing'], passports: ['visa'] }));
    await ask(handler, '/files/a.bam', bearer('part'));
    const bytes = await ask(handler, '/files/a.bam', {
      headers: { authorization: 'Bearer owner', range: 'bytes=0-9' },
    });
    await bytes.arrayBuffer();
    await ask(handler, `${API}/service-info`);
    expect(
      events.map(({ resource, id, status, subject, outcome, bytes: sent }) => [
        resource,
        id,
        status,
        subject,
        outcome,
        sent,
      ]),
    ).toEqual([
      ['drs', 'a.bam', 200, 'owner', 'completed', 0],
      ['drs', 'a.bam', 401, undefined, 'refused', 0],
      ['drs', 'a.bam', 200, 'owner', 'completed', 0],
      ['drs', 'missing', 404, 'owner', 'refused', 0],
      ['file', 'a.bam', 403, 'guest', 'refused', 0],
      ['file', 'a.bam', 206, 'owner', 'completed', 10],
    ]);
    expect(events[4]?.isRestricted).toBe(true);
  });

  test('report bytes that the client did not take as aborted', async () => {
    const events: DrsEvent[] = [];
    const big = { kind: 'file', id: 'big', data: sourceOf(new Uint8Array(2 ** 21), 'big') } as const;
    const handler = serviceOf({ onEvent: (event) => events.push(event) }, { big });
    const reader = (await ask(handler, '/files/big')).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(events).toMatchObject([{ outcome: 'aborted', status: 200 }]);
  });
});

test('reports failures with the id of the request, and hides them from the client', async () => {
  const reported: unknown[] = [];
  const handler = serviceOf({
    resolve: async () => {
      throw new Error('secret path /data');
    },
    onError: (error, id, requestId) => reported.push([String(error), id, requestId]),
  });
  const response = await ask(handler, `${API}/objects/a.bam`, { headers: { 'x-request-id': '7' } });
  expect([response.status, await response.text()]).toEqual([500, '{"msg":"internal error","status_code":500}']);
  expect(reported).toEqual([['Error: secret path /data', 'a.bam', '7']]);
});

test.each([
  [{ publicUrl: 'ftp://a.example' }],
  [{ publicUrl: 'https://user@a.example' }],
  [{ compactPrefix: 'DRS 42' }],
  [{ limits: { bulkObjects: 0 } }],
  [{ signingKeys: [new Uint8Array(8)] as const }],
])('throws RangeError for the options %j', (options) => {
  expect(() => serviceOf(options)).toThrow(RangeError);
});
