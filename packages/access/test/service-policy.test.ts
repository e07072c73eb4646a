import type { ServerResponse } from 'node:http';
import type { Permission } from '@htskit/protocol';
import { JsonServer } from '@htskit/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AccessRequest, Bearer, Policy } from '../src/policy.js';
import { servicePolicy } from '../src/service-policy.js';

let service: JsonServer;
let policy: Policy;
/** Milliseconds that have passed, whatever the clock of the system shows. */
let elapsed: number;

beforeEach(async () => {
  elapsed = 0;
  service = await JsonServer.start({ allow: true });
  policy = servicePolicy({ url: service.url, now: () => elapsed });
});

afterEach(async () => {
  vi.useRealTimers();
  await service.stop();
});

const alice: Bearer = { token: 'token-of-alice', claims: { sub: 'alice', groups: ['a'] } };
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
  [
    { allow: true, samples: ['A'] },
    { regions: 'all', samples: ['A'] },
  ],
  [
    { allow: true, samples: [] },
    { regions: 'all', samples: [] },
  ],
  [
    { allow: true, regions, samples: { except: ['A'] } },
    { regions, samples: { except: ['A'] } },
  ],
  [{ allow: false, samples: ['A'] }, 'forbidden'],
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
    ['answers with a sample that is no text', text('{"allow":true,"samples":[1]}')],
    ['answers with samples as text', text('{"allow":true,"samples":"A"}')],
    ['misspells except', text('{"allow":true,"samples":{"exept":["A"]}}')],
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
    policy = servicePolicy({ url: service.url, timeoutSeconds: 0.05 });
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
  test('for 30 seconds', async () => {
    await decide();
    service.document = { allow: false };
    elapsed = 29_999;
    expect(await decide()).toBe('all');
    elapsed = 30_000;
    expect(await decide()).toBe('forbidden');
  });

  test('for no longer although the clock is set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 7_200_000 });
    await decide();
    service.document = { allow: false };
    vi.setSystemTime(0);
    elapsed = 30_000;
    expect(await decide()).toBe('forbidden');
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
    policy = servicePolicy({ url: service.url, cacheSeconds: 0 });
    await decide();
    service.document = { allow: false };
    expect(await decide()).toBe('forbidden');
  });
});

test.each(['ftp://a.example/', 'a.example', 'https://user:secret@a.example/', ''])('rejects the URL %j', (url) => {
  expect(() => servicePolicy({ url })).toThrow(/^url must be an http or https URL without credentials$/);
});

test('keeps no more than 100,000 decisions and regions, and drops the oldest decisions first', async () => {
  const many = Array.from({ length: 2_500 }, () => ({ referenceName: 'chr1' }));
  service.document = { allow: true, regions: many };
  for (let i = 0; i < 40; i++) await decide({ id: String(i) });
  expect(service.bodies).toHaveLength(40);
  await decide({ id: '39' });
  await decide({ id: '1' });
  expect(service.bodies).toHaveLength(40);
  await decide({ id: '0' });
  expect(service.bodies).toHaveLength(41);
});
