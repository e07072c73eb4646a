import { describe, expect, test } from 'vitest';
import type { Permission } from '../src/index.js';
import { faultsOf } from './schema.js';
import {
  API,
  ask,
  authorize,
  BAM,
  bearer,
  describeObject,
  FILES,
  PUBLIC_URL,
  post,
  serviceOf,
  sourceOf,
} from './service.js';

const AUTHORIZATIONS = { supported_types: ['BearerAuth'], bearer_auth_issuers: ['https://login.example'] } as const;
const guarded = (more = {}) => serviceOf({ authorize, authorizations: AUTHORIZATIONS, ...more });

describe('a request that may see everything', () => {
  test('is given a signed URL of the bytes, which needs no token', async () => {
    const handler = guarded();
    const found = await describeObject(handler, 'a.bam', bearer('owner'));
    expect(faultsOf('DrsObject', found)).toEqual([]);
    expect(found.access_methods).toEqual([
      { type: 'https', access_id: 'https', authorizations: AUTHORIZATIONS },
      { type: 'htsget', access_url: { url: `${PUBLIC_URL}/reads/a?format=BAM` }, authorizations: AUTHORIZATIONS },
    ]);
    const access = await ask(handler, `${API}/objects/a.bam/access/https`, bearer('owner'));
    const answer = (await access.json()) as { readonly url: string };
    expect(faultsOf('AccessUrl', answer)).toEqual([]);
    const bytes = await ask(handler, answer.url.slice(PUBLIC_URL.length));
    expect(new Uint8Array(await bytes.arrayBuffer())).toEqual(BAM);
  });

  test('may prove it by a passport in the body', async () => {
    const handler = guarded();
    const found = await describeObject(handler, 'a.bam', post({ passports: ['visa'] }));
    expect(found.id).toBe('a.bam');
    const access = await ask(handler, `${API}/objects/a.bam/access/https`, post({ passports: ['visa'] }));
    expect(((await access.json()) as { url: string }).url).toContain('/files/a.bam?token=');
    expect((await ask(handler, `${API}/objects/a.bam`, post({ passports: ['other'] }))).status).toBe(401);
    const wanted = [{ bulk_object_id: 'a.bam', bulk_access_ids: ['https', 'ftp'] }];
    const bulk = await ask(
      handler,
      `${API}/objects/access`,
      post({ passports: ['visa'], bulk_object_access_ids: wanted }),
    );
    const answer: unknown = await bulk.json();
    expect(faultsOf('BulkAccessUrls', answer)).toEqual([]);
    expect(answer).toMatchObject({
      summary: { requested: 2, resolved: 1, unresolved: 1 },
      resolved_drs_object_access_urls: [{ drs_object_id: 'a.bam', drs_access_id: 'https' }],
    });
  });
});

describe('a request that may see a part', () => {
  test('is given the description with htsget only', async () => {
    const handler = guarded();
    const found = await describeObject(handler, 'a.bam', bearer('part'));
    expect(faultsOf('DrsObject', found)).toEqual([]);
    expect(found.access_methods?.map(({ type }) => type)).toEqual(['htsget']);
    for (const path of ['/files/a.bam', `${API}/objects/a.bam/access/https`]) {
      const refused = await ask(handler, path, bearer('part'));
      expect(refused.status).toBe(403);
      expect(((await refused.json()) as { msg: string }).msg).toContain('htsget');
    }
  });

  test('sees neither what htsget does not answer nor bundles', async () => {
    const handler = guarded();
    for (const id of ['a.bam.bai', 'reads%2Fa']) {
      expect((await ask(handler, `${API}/objects/${id}`, bearer('part'))).status).toBe(403);
    }
  });
});

test.each([
  ['', 401],
  ['owner', 404],
  ['wrong', 403],
])('answers for a missing object with token "%s" by %s', async (token, status) => {
  const init = token === '' ? {} : bearer(token);
  for (const path of [`${API}/objects/missing`, '/files/missing', `${API}/objects/missing/access/https`]) {
    const response = await ask(guarded(), path, init);
    expect([response.status, response.headers.has('www-authenticate')]).toEqual([status, status === 401]);
  }
});

test('a signed URL is for one version of one object until it expires', async () => {
  let now = 0;
  const file = { ...FILES['a.bam'], id: 'c.bam', kind: 'file', data: sourceOf(BAM, 'c.bam') } as const;
  let current = file;
  const handler = guarded({ now: () => now, limits: { urlSeconds: 10 }, resolve: async () => current });
  const access = await ask(handler, `${API}/objects/c.bam/access/https`, bearer('owner'));
  const path = ((await access.json()) as { url: string }).url.slice(PUBLIC_URL.length);
  const statusOf = async (target: string): Promise<number> => (await ask(handler, target)).status;
  expect(await statusOf(path)).toBe(200);
  expect(await statusOf(path.replace('c.bam', 'd.bam'))).toBe(403);
  expect(await statusOf(`${path}x`)).toBe(403);
  expect(await statusOf(`${path.split('.').slice(0, -1).join('.')}.`)).toBe(403);
  expect(await statusOf('/files/c.bam?token=')).toBe(403);
  const forged = Buffer.from(JSON.stringify({ id: 'c.bam', expires: 1e15 })).toString('base64url');
  expect(await statusOf(`/files/c.bam?token=${forged}.${'a'.repeat(43)}`)).toBe(403);
  current = { ...file, data: sourceOf(BAM, 'c.bam', { version: '2' }) };
  expect(await statusOf(path)).toBe(409);
  current = file;
  now = 10_000;
  expect(await statusOf(path)).toBe(403);
});

test('accepts signatures of all keys, and signs with the first', async () => {
  const [old, current] = [new Uint8Array(16).fill(1), new Uint8Array(16).fill(2)];
  const before = guarded({ signingKeys: [old] });
  const after = guarded({ signingKeys: [current, old] });
  const only = guarded({ signingKeys: [current] });
  const urlOf = async (handler: ReturnType<typeof guarded>): Promise<string> => {
    const access = await ask(handler, `${API}/objects/a.bam/access/https`, bearer('owner'));
    return ((await access.json()) as { url: string }).url.slice(PUBLIC_URL.length);
  };
  expect((await ask(after, await urlOf(before))).status).toBe(200);
  expect((await ask(only, await urlOf(before))).status).toBe(403);
  expect((await ask(only, await urlOf(after))).status).toBe(200);
});

describe('OPTIONS', () => {
  test('answers how requests for an object are authorized', async () => {
    const response = await ask(guarded(), `${API}/objects/a.bam`, { method: 'OPTIONS' });
    const answer: unknown = await response.json();
    expect(faultsOf('Authorizations', answer)).toEqual([]);
    expect(answer).toEqual({ drs_object_id: 'a.bam', ...AUTHORIZATIONS });
  });

  test('is the same for an object that does not exist, and 204 for a public one', async () => {
    const missing = await ask(guarded(), `${API}/objects/missing`, { method: 'OPTIONS' });
    expect(missing.status).toBe(200);
    expect((await ask(guarded(), `${API}/objects/open.bam`, { method: 'OPTIONS' })).status).toBe(204);
    expect((await ask(serviceOf(), `${API}/objects/a.bam`, { method: 'OPTIONS' })).status).toBe(204);
  });

  test('answers for several objects', async () => {
    const init = { ...post({ bulk_object_ids: ['a.bam', 'open.bam'] }), method: 'OPTIONS' };
    const answer: unknown = await (await ask(guarded(), `${API}/objects`, init)).json();
    expect(faultsOf('BulkAuthorizations', answer)).toEqual([]);
    expect(answer).toMatchObject({
      resolved_drs_object: [{ drs_object_id: 'a.bam' }, { drs_object_id: 'open.bam', supported_types: ['None'] }],
    });
  });
});

test('a hook that does not return a permission permits nothing', async () => {
  for (const permission of [undefined, true, {}, { regions: undefined }]) {
    const handler = serviceOf({ authorize: () => permission as unknown as 'all' });
    expect((await ask(handler, '/files/a.bam')).status).toBe(500);
  }
});

test.each([
  [{ regions: [] }],
  [{ regions: 'all', samples: ['a'] }],
  [{ regions: 'all', formats: ['BAM'] }],
  [{ regions: 'some' }],
])('takes %j for a permission of a part', async (permission) => {
  const handler = serviceOf({ authorize: () => permission as Permission });
  expect((await ask(handler, '/files/a.bam')).status).toBe(403);
});

describe('a file that its store sends', () => {
  const locate = async (_: unknown, { version }: { readonly version: string | undefined }) => ({
    url: 'https://store.example/a?signature=1',
    ...(version !== undefined && { headers: { 'If-Match': `"${version}"` } }),
  });
  const handler = serviceOf(
    {},
    { 'a.bam': { ...FILES['a.bam'], kind: 'file', id: 'a.bam', data: sourceOf(BAM, 'a'), locate } },
  );

  test('has a URL of the store for its access id', async () => {
    const found = await describeObject(handler, 'a.bam');
    expect(found.access_methods?.[0]).toEqual({ type: 'https', access_id: 'https' });
    const access: unknown = await (await ask(handler, `${API}/objects/a.bam/access/https`)).json();
    expect(access).toEqual({ url: 'https://store.example/a?signature=1', headers: ['If-Match: "1"'] });
  });

  test('is redirected to, without headers that a redirect cannot send', async () => {
    const response = await ask(handler, '/files/a.bam', { headers: { range: 'bytes=0-9' } });
    expect([response.status, response.headers.get('location')]).toEqual([307, 'https://store.example/a?signature=1']);
    const head = await ask(handler, '/files/a.bam', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([200, '1000', null]);
  });
});

test('a file that is not sent is described with the reason', async () => {
  const file = {
    ...FILES['a.bam'],
    kind: 'file',
    id: 'a.bam',
    data: sourceOf(BAM, 'a'),
    refusal: 'it is encrypted',
  } as const;
  const handler = serviceOf({}, { 'a.bam': file, index: { ...file, id: 'index', htsgetUrl: undefined } });
  const found = await describeObject(handler, 'a.bam');
  expect([found.description, found.access_methods?.map(({ type }) => type)]).toEqual(['it is encrypted', ['htsget']]);
  expect((await ask(handler, '/files/a.bam')).status).toBe(403);
  expect((await ask(handler, `${API}/objects/index`)).status).toBe(403);
});

test('a file that is read with the token of its user has an access URL with the token', async () => {
  const forwarded = { authorization: 'Bearer mine' };
  const file = { kind: 'file', id: 'own', data: sourceOf(BAM, 'own'), forwarded } as const;
  const handler = serviceOf({
    resolve: async (_, { headers }) => (headers.get('authorization') === 'Bearer mine' ? file : undefined),
  });
  const found = await describeObject(handler, 'own', bearer('mine'));
  expect(found.access_methods).toMatchObject([{ type: 'https', access_id: 'https', authorizations: {} }]);
  const access: unknown = await (await ask(handler, `${API}/objects/own/access/https`, bearer('mine'))).json();
  expect(access).toEqual({ url: `${PUBLIC_URL}/files/own`, headers: ['authorization: Bearer mine'] });
  const bytes = await ask(handler, '/files/own', bearer('mine'));
  expect([bytes.status, bytes.headers.get('cache-control')]).toEqual([200, 'private, no-cache, no-transform']);
  expect((await ask(handler, '/files/own')).status).toBe(404);
});
