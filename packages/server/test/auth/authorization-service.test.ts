import type { ServerResponse } from 'node:http';
import type { Permission } from '@htskit/htsget';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { authorizerSection, createServicePolicy, DecisionCache } from '../../src/auth/authorization-service.js';
import type { AccessRequest, Bearer, Policy } from '../../src/auth/policy.js';
import { JsonServer } from './json-server.js';

let service: JsonServer;
let policy: Policy;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
  service = await JsonServer.start({ allow: true });
  policy = createServicePolicy(authorizerSection.parse({ url: service.url }));
});

afterEach(async () => {
  vi.useRealTimers();
  await service.stop();
});

const alice: Bearer = { token: 'token-of-alice', claims: { sub: 'alice', groups: ['a'] }, expires: 2_000_000 };
const { signal } = new AbortController();
const object: AccessRequest = { datatype: 'reads', id: 'cohort/a', method: 'GET', signal };

async function decide(request: Partial<AccessRequest> = {}, bearer: Partial<Bearer> = {}): Promise<Permission> {
  return policy({ ...alice, ...bearer }, { ...object, ...request });
}

test('sends the claims and the object, but not the token', async () => {
  expect(await decide()).toBe('all');
  expect(service.bodies).toHaveLength(1);
  expect(JSON.parse(service.bodies[0] ?? '')).toEqual({
    claims: { sub: 'alice', groups: ['a'] },
    datatype: 'reads',
    id: 'cohort/a',
    method: 'GET',
  });
});

const regions = [{ referenceName: 'chr1', start: 5, end: 9 }, { referenceName: '*' }];

test.each<[object, Permission]>([
  [{ allow: true }, 'all'],
  [{ allow: false }, 'forbidden'],
  [{ allow: true, regions }, { regions }],
  [{ allow: true, regions: [] }, { regions: [] }],
  [{ allow: false, regions }, 'forbidden'],
])('maps the response %j to a permission', async (answer, expected) => {
  service.document = answer;
  expect(await decide()).toEqual(expected);
});

describe('permits nothing and is unavailable if the service', () => {
  const text =
    (body: string, status = 200) =>
    (response: ServerResponse): void =>
      void response.writeHead(status).end(body);

  test.each<[string, (response: ServerResponse) => void]>([
    ['answers with 500', text('{"allow":true}', 500)],
    ['answers with 201', text('{"allow":true}', 201)],
    ['answers with 403', text('{"allow":true}', 403)],
    ['answers nothing', text('')],
    ['answers no JSON', text('allow')],
    ['answers null', text('null')],
    ['answers true', text('true')],
    ['leaves out allow', text('{"regions":[]}')],
    ['answers with a text', text('{"allow":"true"}')],
    ['misspells regions', text('{"allow":true,"region":[]}')],
    ['answers with no regions but null', text('{"allow":true,"regions":null}')],
    ['answers with regions as text', text('{"allow":true,"regions":["chr1:1-5"]}')],
    ['answers with a region without a name', text('{"allow":true,"regions":[{"start":1}]}')],
    ['answers with a region that misspells its end', text('{"allow":true,"regions":[{"referenceName":"a","stop":1}]}')],
    ['answers with a negative start', text('{"allow":true,"regions":[{"referenceName":"a","start":-1}]}')],
    ['answers with an empty region', text('{"allow":true,"regions":[{"referenceName":"a","start":5,"end":5}]}')],
    ['answers with more than a megabyte', text(`{"allow":true${' '.repeat(2 ** 20)}}`)],
    ['breaks the connection', (response) => response.destroy()],
    [
      'breaks off its answer',
      (response) => response.writeHead(200, { 'content-length': 14 }).write('{"allow":true', () => response.destroy()),
    ],
  ])('%s', async (_, answer) => {
    service.answer = answer;
    await expect(decide()).rejects.toMatchObject({ name: 'AuthError', code: 'UNAVAILABLE' });
    service.answer = text('{"allow":true}');
    expect(await decide()).toBe('all');
  });

  test('sends elsewhere', async () => {
    service.answer = (response) => {
      if (service.bodies.length > 1) text('{"allow":true}')(response);
      else response.writeHead(307, { location: '/elsewhere' }).end();
    };
    await expect(decide()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(service.bodies).toHaveLength(1);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['does not answer in time', () => undefined],
    ['does not end its answer in time', (response) => response.writeHead(200).write('{"allow":')],
  ])('%s', async (_, answer) => {
    service.answer = answer;
    policy = createServicePolicy(authorizerSection.parse({ url: service.url, timeoutSeconds: 0.05 }));
    await expect(decide()).rejects.toMatchObject({ code: 'UNAVAILABLE', cause: { name: 'TimeoutError' } });
  });

  test('is unreachable', async () => {
    await service.stop();
    await expect(decide()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    service = await JsonServer.start({});
  });

  test('aborts the request when the client disconnects', async () => {
    service.answer = () => undefined;
    await expect(decide({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

describe('caches a decision', () => {
  test('for 30 seconds, and no longer than the token', async () => {
    await decide();
    service.document = { allow: false };
    vi.setSystemTime(1_029_999);
    expect(await decide()).toBe('all');
    vi.setSystemTime(1_030_000);
    expect(await decide()).toBe('forbidden');
    service.document = { allow: true };
    expect(await decide({}, { token: 'short', expires: 1_031_000 })).toBe('all');
    service.document = { allow: false };
    vi.setSystemTime(1_031_000);
    expect(await decide({}, { token: 'short', expires: 1_031_000 })).toBe('forbidden');
  });

  test.each<[string, Partial<AccessRequest>, Partial<Bearer>]>([
    ['another token', {}, { token: 'token-of-bob' }],
    ['another object', { id: 'cohort/b' }, {}],
    ['the other datatype', { datatype: 'variants' }, {}],
    ['another method', { method: 'POST' }, {}],
  ])('not for %s', async (_, request, bearer) => {
    expect(await decide()).toBe('all');
    service.document = { allow: false };
    expect(await decide(request, bearer)).toBe('forbidden');
    expect(await decide()).toBe('all');
  });

  test('not at all where that is configured', async () => {
    policy = createServicePolicy(authorizerSection.parse({ url: service.url, cacheSeconds: 0 }));
    await decide();
    service.document = { allow: false };
    expect(await decide()).toBe('forbidden');
  });
});

test.each(['ftp://a.example/', 'a.example', 'https://user:secret@a.example/', ''])('rejects the URL %j', (url) => {
  const { error } = authorizerSection.safeParse({ url });
  expect(error?.issues).toHaveLength(1);
  expect(JSON.stringify(error)).not.toContain('secret');
});

test('returns a decision until it expires', () => {
  const cache = new DecisionCache();
  cache.set('a', { permission: 'all', expires: 1_001_000 });
  vi.setSystemTime(1_000_999);
  expect(cache.get('a')).toBe('all');
  vi.setSystemTime(1_001_000);
  expect(cache.get('a')).toBeUndefined();
});

test('returns the latest decision of a key', () => {
  const cache = new DecisionCache();
  cache.set('a', { permission: 'all', expires: 2_000_000 });
  cache.set('a', { permission: 'forbidden', expires: 2_000_000 });
  expect(cache.get('a')).toBe('forbidden');
});

test('drops the oldest decisions if there are too many', () => {
  const cache = new DecisionCache();
  for (let i = 0; i < 100_002; i++) cache.set(String(i), { permission: 'all', expires: 2_000_000 });
  expect([0, 1, 2, 100_001].map((key) => cache.get(String(key)))).toEqual([undefined, undefined, 'all', 'all']);
});

test('counts the regions of a decision', () => {
  const cache = new DecisionCache();
  const regions = Array.from({ length: 49_000 }, () => ({ referenceName: 'chr1' }));
  for (const key of ['a', 'b', 'c']) cache.set(key, { permission: { regions }, expires: 2_000_000 });
  expect(['a', 'b', 'c'].map((key) => cache.get(key) === undefined)).toEqual([true, false, false]);
});

test('stops counting a decision that was replaced or has expired', () => {
  const cache = new DecisionCache();
  const regions = Array.from({ length: 60_000 }, () => ({ referenceName: 'chr1' }));
  cache.set('other', { permission: 'all', expires: 2_000_000 });
  for (let i = 0; i < 5; i++) cache.set('a', { permission: { regions }, expires: 1_001_000 });
  vi.setSystemTime(1_001_000);
  expect(cache.get('a')).toBeUndefined();
  cache.set('b', { permission: { regions }, expires: 2_000_000 });
  expect(cache.get('other')).toBe('all');
});
