import { JsonServer } from '@htskit/testing';
import { createKey, jwtOf, keySetOf, signToken } from '@htskit/testing/token-issuer';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { authSection, createAuthorization } from '../../src/auth/auth-section.js';
import type { FetchHandler } from '../dispatch.js';
import { ask, guardedApp } from './guarded-app.js';

const key = await createKey('one');
let issuer: JsonServer;

beforeEach(async () => {
  issuer = await JsonServer.start(keySetOf(key));
});

afterEach(() => issuer.stop());

const SCOPES = 'read:genomic_reads read:genomic_variants';

async function statusOf(app: FetchHandler, path: string, token?: string, init?: RequestInit): Promise<number> {
  return (await app(ask(path, token, init))).status;
}

describe('the section', () => {
  const jwt = { jwksUrl: 'https://a.example/keys', issuer: 'https://a.example', audience: 'b' };
  const authorizer = { url: 'https://a.example/' };
  const passports = { trusted: [{ issuer: 'https://a.example', jwksUrl: 'https://a.example/keys' }] };

  test('applies the defaults', () => {
    expect(authSection.parse({ jwt, authorizer })).toEqual({
      jwt: { ...jwt, clockSkewSeconds: 60, algorithms: expect.arrayContaining(['RS256', 'ES256']) as unknown },
      public: [],
      authorizer: { ...authorizer, timeoutSeconds: 5, cacheSeconds: 30 },
    });
    expect(authSection.parse({})).toEqual({ public: [] });
  });

  test.each<[object, (string | number)[]]>([
    [{ jwt: { ...jwt, jwksUrl: 'keys.json' } }, ['jwt', 'jwksUrl']],
    [{ jwt: { ...jwt, issuer: undefined } }, ['jwt', 'issuer']],
    [{ jwt: { ...jwt, audience: [] } }, ['jwt', 'audience']],
    [{ jwt: { ...jwt, clockSkewSeconds: -1 } }, ['jwt', 'clockSkewSeconds']],
    [{ jwt: { ...jwt, algorithms: [] } }, ['jwt', 'algorithms']],
    [{ jwt: { ...jwt, jwksurl: 'x' } }, ['jwt']],
    [{ jwt, public: ['demo/**'] }, ['public', 0]],
    [{ passports: { trusted: [] } }, ['passports', 'trusted']],
    [{ passports: { trusted: [{ issuer: 'a', jwksUrl: 'b' }] } }, ['passports', 'trusted', 0, 'jwksUrl']],
    [{ passports: { ...passports, binding: 'iss' } }, ['passports', 'binding']],
    [{ passports: { ...passports, datasets: { D1: {} } } }, ['passports', 'datasets', 'D1', 'objects']],
    [
      { passports: { ...passports, datasets: { D1: { objects: ['D1/**'] } } } },
      ['passports', 'datasets', 'D1', 'objects', 0],
    ],
    [{ passports: { ...passports, userinfoUrl: 'https://a.example/userinfo' } }, ['passports', 'userinfoUrl']],
    [{ passports: { ...passports, datasets: {} }, authorizer }, ['passports', 'datasets']],
    [{ jwt, rules: [{ formats: ['SAM'] }] }, ['rules', 0, 'formats', 0]],
    [{ public: ['reads/**'] }, ['public']],
    [{ rules: [] }, ['rules']],
    [{ authorizer }, ['authorizer']],
    [{ jwt, rules: [], authorizer }, ['authorizer']],
    [{ jwt, authorizer: { ...authorizer, timeoutSeconds: 0 } }, ['authorizer', 'timeoutSeconds']],
    [{ signingKeys: [] }, ['signingKeys']],
    [{ signingKeys: ['utf8:0123456789abcdef', 'short'] }, ['signingKeys', 1]],
    [{ token: 'x' }, []],
  ])('reports the fault of %j', (section, path) => {
    expect(authSection.safeParse(section).error?.issues.map((issue) => issue.path)).toEqual([path]);
  });

  test('has a JSON Schema', () => {
    expect(z.toJSONSchema(authSection, { io: 'input' })).toMatchObject({
      additionalProperties: false,
      properties: { jwt: { required: ['jwksUrl', 'issuer', 'audience'] }, rules: { type: 'array' } },
    });
  });
});

test('creates no hooks without jwt, and decodes the signing keys', async () => {
  const keys = ['hex:000102030405060708090a0b0c0d0e0f', 'utf8:0123456789abcdef'];
  const { access, signingKeys } = await createAuthorization(authSection.parse({ signingKeys: keys }));
  expect(access).toBeUndefined();
  expect(signingKeys?.map((bytes) => Buffer.from(bytes).toString('hex'))).toEqual([
    '000102030405060708090a0b0c0d0e0f',
    Buffer.from('0123456789abcdef').toString('hex'),
  ]);
});

test('names the subject of the token only for audits, and never more than 255 characters of it', async () => {
  const section = authSection.parse({ jwt: jwtOf(issuer), public: ['reads/open'] });
  const permissionFor = async (id: string, sub: unknown, namesSubject: boolean): Promise<unknown> => {
    const { access } = await createAuthorization(section, { namesSubject });
    const request = ask(`/reads/${id}`, await signToken(key, { scope: SCOPES, sub }));
    return access?.htsget({ request, datatype: 'reads', id, signal: request.signal });
  };
  expect(await permissionFor('a', 'alice', false)).toBe('all');
  expect(await permissionFor('a', 'alice', true)).toEqual({ regions: 'all', subject: 'alice' });
  expect(await permissionFor('a', 'a'.repeat(300), true)).toEqual({ regions: 'all', subject: 'a'.repeat(255) });
  expect(await permissionFor('a', undefined, true)).toBe('all');
  expect(await permissionFor('open', 'alice', true)).toBe('all');
});

test('keeps the restrictions of a subject that is named', async () => {
  const rules = [{ regions: ['chr1'], samples: ['A'] }];
  const section = authSection.parse({ jwt: jwtOf(issuer), rules });
  const { access } = await createAuthorization(section, { namesSubject: true });
  const request = ask('/reads/a', await signToken(key, { scope: SCOPES, sub: 'alice' }));
  expect(await access?.htsget({ request, datatype: 'reads', id: 'a', signal: request.signal })).toEqual({
    regions: [{ referenceName: 'chr1' }],
    samples: ['A'],
    subject: 'alice',
  });
});

describe('a service with tokens', () => {
  const PATHS = ['/reads/a', '/variants/a', '/sequence/abc', '/collection/abc', '/list/collection'];

  test.each(PATHS)('requires a token at %s for every method', async (path) => {
    const app = await guardedApp({ jwt: jwtOf(issuer) });
    expect(await statusOf(app, path)).toBe(401);
    expect(await statusOf(app, path, undefined, { method: 'HEAD' })).toBe(401);
    expect(await statusOf(app, path, 'x')).toBe(401);
    expect(await statusOf(app, path, await signToken(key, { scope: SCOPES }))).not.toBe(401);
  });

  test.each(['/reads/service-info', '/variants/service-info', '/sequence/service-info', '/service-info'])(
    'answers %s without a token and with any token',
    async (path) => {
      const app = await guardedApp({ jwt: jwtOf(issuer), rules: [] });
      expect(await statusOf(app, path)).toBe(200);
      expect(await statusOf(app, path, 'x')).toBe(200);
      expect(issuer.bodies).toEqual([]);
    },
  );

  test('requires the scope of the datatype, and no scope for sequences', async () => {
    const app = await guardedApp({ jwt: jwtOf(issuer) });
    const token = await signToken(key, { scope: 'read:genomic_reads' });
    expect(await statusOf(app, '/reads/a', token)).toBe(200);
    expect(await statusOf(app, '/variants/a', token)).toBe(403);
    expect(await statusOf(app, '/sequence/abc', token)).toBe(404);
  });

  test('sends WWW-Authenticate in both protocols', async () => {
    const app = await guardedApp({ jwt: jwtOf(issuer), rules: [] });
    const challengeOf = async (path: string, token?: string): Promise<string | null> =>
      (await app(ask(path, token))).headers.get('www-authenticate');
    expect(await challengeOf('/reads/a')).toBe('Bearer scope="read:genomic_reads"');
    expect(await challengeOf('/sequence/abc')).toBe('Bearer');
    const invalid = 'Bearer error="invalid_token", error_description="the token is not valid"';
    expect(await challengeOf('/variants/a', 'x')).toBe(invalid);
    expect(await challengeOf('/sequence/abc', 'x')).toBe(invalid);
    const token = await signToken(key);
    expect(await challengeOf('/reads/a', token)).toBe('Bearer error="insufficient_scope", scope="read:genomic_reads"');
    expect(await challengeOf('/sequence/abc', token)).toBeNull();
  });

  test('checks the token before anything else', async () => {
    const app = await guardedApp({ jwt: jwtOf(issuer) });
    expect(await statusOf(app, '/reads/missing?start=x&format=nonsense')).toBe(401);
    expect(await statusOf(app, '/reads/a', undefined, { method: 'POST', body: '{' })).toBe(401);
  });

  test('returns 503 with Retry-After in both protocols if the issuer or the authorizer is down', async () => {
    const token = await signToken(key, { scope: SCOPES });
    const down = await JsonServer.start({});
    const { url } = down;
    await down.stop();
    const sections = [{ jwt: { ...jwtOf(issuer), jwksUrl: url } }, { jwt: jwtOf(issuer), authorizer: { url } }];
    for (const section of sections) {
      const errors: unknown[] = [];
      const app = await guardedApp(section, { onError: (error) => errors.push(error) });
      for (const path of ['/reads/a', '/sequence/abc']) {
        const response = await app(ask(path, token));
        expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
        expect(response.headers.has('www-authenticate')).toBe(false);
      }
      expect(errors).toHaveLength(2);
    }
  });
});

describe('public objects', () => {
  const PUBLIC = ['reads/demo/**', 'sequence/abc*', 'list/collection'];

  test.each([
    ['/reads/demo/a', 200],
    ['/reads/demo/a/b', 200],
    ['/reads/dem%6F/a', 200],
    ['/reads/demo%2Fa', 200],
    ['/sequence/abc1', 404],
    ['/sequence/abc1/metadata', 404],
    ['/sequence/%61bc1/', 404],
    ['/list/collection', 200],
  ])('requires and checks no token for %s', async (path, status) => {
    const app = await guardedApp({ jwt: jwtOf(issuer), public: PUBLIC, rules: [] });
    expect(await statusOf(app, path)).toBe(status);
    expect(await statusOf(app, path, 'x')).toBe(status);
    expect(issuer.bodies).toEqual([]);
  });

  test.each([
    '/reads/demo',
    '/reads/demonstration/a',
    '/reads/a/reads/demo/a',
    '/reads/Demo/a',
    '/variants/demo/a',
    '/sequence/ab',
    '/sequence/x%2Fabc1',
    '/sequence/ABC1',
    '/collection/abc',
  ])('does not treat %s as public', async (path) => {
    const app = await guardedApp({ jwt: jwtOf(issuer), public: PUBLIC });
    expect(await statusOf(app, path)).toBe(401);
  });

  test.each(['/reads/demo/../a', '/reads/demo/%2e%2e/a', '/reads/demo%2F..%2Fa', '/reads/demo//a'])(
    'does not reach another object by %s',
    async (path) => {
      const app = await guardedApp({ jwt: jwtOf(issuer), public: PUBLIC });
      expect(await statusOf(app, path)).toBeGreaterThanOrEqual(401);
    },
  );
});

describe('sequences', () => {
  test('applies the rules to sequences and their metadata', async () => {
    const rules = [
      { claims: { sub: 'alice' }, objects: ['sequence/abc'] },
      { claims: { sub: 'bob' }, objects: ['**'], regions: ['chr1'] },
    ];
    const app = await guardedApp({ jwt: jwtOf(issuer), rules });
    const [alice, bob] = [await signToken(key), await signToken(key, { sub: 'bob' })];
    expect(await statusOf(app, '/sequence/abc', alice)).toBe(404);
    expect(await statusOf(app, '/sequence/abc/metadata', alice)).toBe(404);
    expect(await statusOf(app, '/sequence/abd', alice)).toBe(403);
    expect(await statusOf(app, '/collection/abc', alice)).toBe(403);
    expect(await statusOf(app, '/sequence/abc', bob)).toBe(403);
  });

  test('sends the path of a sequence to the authorizer', async () => {
    const service = await JsonServer.start({ allow: true });
    const app = await guardedApp({ jwt: jwtOf(issuer), authorizer: { url: service.url, cacheSeconds: 0 } });
    const token = await signToken(key);
    expect(await statusOf(app, '/sequence/ga4gh:SQ.x/metadata', token)).toBe(404);
    expect(await statusOf(app, '/comparison/a/b', token)).toBe(404);
    service.document = { allow: true, regions: [{ referenceName: 'chr1' }] };
    expect(await statusOf(app, '/collection/c', token)).toBe(403);
    expect(service.bodies.map((body) => JSON.parse(body) as object)).toEqual([
      expect.objectContaining({ datatype: 'sequence', id: 'ga4gh:SQ.x', method: 'GET' }),
      expect.objectContaining({ datatype: 'comparison', id: 'a/b', method: 'GET' }),
      expect.objectContaining({ datatype: 'collection', id: 'c', method: 'GET' }),
    ]);
    await service.stop();
  });
});
