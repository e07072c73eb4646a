import type { ServerResponse } from 'node:http';
import { JsonServer } from '@htskit/testing';
import { PassportIssuer } from '@htskit/testing/passport-issuer';
import { type Claims, createKey, jwtOf, keySetOf, now, signToken } from '@htskit/testing/token-issuer';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PassportAuthorizerOptions, passportAuthorizer, rules } from '../../src/index.js';

const key = await createKey('one');
let issuer: PassportIssuer;
let keys: JsonServer;
let userinfo: JsonServer;
/** Milliseconds that have passed for caches. */
let elapsed: number;
beforeEach(async () => {
  elapsed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => elapsed);
  [issuer, keys, userinfo] = await Promise.all([
    PassportIssuer.start('https://visas.example'),
    JsonServer.start(keySetOf(key)),
    JsonServer.start({}),
  ]);
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all([issuer.stop(), keys.stop(), userinfo.stop()]);
});

const READS = 'read:genomic_reads';
const policy = rules([
  { datasets: ['D1'], objects: ['reads/a'] },
  { claims: { groups: 'b' }, objects: ['reads/b'] },
]);

function decider(
  options: Partial<PassportAuthorizerOptions> = {},
): (token: Claims | string, id?: string) => Promise<string> {
  const access = passportAuthorizer({ trusted: [issuer.trusted], jwt: jwtOf(keys), policy, ...options });
  return async (token, id = 'a') => {
    const authorization = `Bearer ${typeof token === 'string' ? token : await signToken(key, token)}`;
    const request = new Request('http://a.example/', { headers: { authorization } });
    return access.decide(request, { datatype: 'reads', id }).then(
      () => 'granted',
      (error: { code: string }) => error.code,
    );
  };
}

describe('an access token with visas in it', () => {
  test('has what its visas grant, without the scope of htsget', async () => {
    const decide = decider();
    const visas = { ga4gh_passport_v1: [await issuer.signVisa()] };
    expect(await decide(visas)).toBe('granted');
    expect(await decide({ ...visas, scope: READS })).toBe('granted');
    expect(await decide({ scope: READS })).toBe('FORBIDDEN');
  });

  test('has what rules for claims grant only with the scope of htsget', async () => {
    const decide = decider();
    const visas = { ga4gh_passport_v1: [await issuer.signVisa()], groups: ['b'] };
    expect(await decide(visas, 'b')).toBe('FORBIDDEN');
    expect(await decide({ ...visas, scope: READS }, 'b')).toBe('granted');
    expect(await decide({ groups: ['b'], scope: READS }, 'b')).toBe('granted');
    expect(await decide({ groups: ['b'] }, 'b')).toBe('FORBIDDEN');
  });

  test('is verified as every token is, with each request', async () => {
    const decide = decider();
    const visas = { ga4gh_passport_v1: [await issuer.signVisa()] };
    expect(await decide({ ...visas, aud: 'https://other.example' })).toBe('UNAUTHENTICATED');
    expect(await decide({ ...visas, exp: now() - 100 })).toBe('UNAUTHENTICATED');
    expect(await decide({ ...visas, sub: 'bob' })).toBe('FORBIDDEN');
    expect(await decide({ ga4gh_passport_v1: 'x' })).toBe('UNAUTHENTICATED');
  });

  test('is not a passport', async () => {
    const access = passportAuthorizer({ trusted: [issuer.trusted], policy });
    const authorization = `Bearer ${await signToken(key, { ga4gh_passport_v1: [await issuer.signVisa()] })}`;
    const request = new Request('http://a.example/', { headers: { authorization } });
    await expect(access.decide(request, { datatype: 'reads', id: 'a' })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      message: 'the token is not a passport',
    });
  });
});

describe('the UserInfo endpoint', () => {
  const withUserInfo = (): ReturnType<typeof decider> => decider({ userinfoUrl: userinfo.url });

  test('returns the visas of a token, and is asked once per hour for them', async () => {
    userinfo.document = { sub: 'alice', ga4gh_passport_v1: [await issuer.signVisa({ claims: { exp: now() + 9000 } })] };
    const decide = withUserInfo();
    const token = await signToken(key, { scope: 'openid ga4gh_passport_v1', exp: now() + 9000 });
    for (let i = 0; i < 3; i++) expect(await decide(token)).toBe('granted');
    elapsed += 301_000;
    expect(await decide(token)).toBe('granted');
    expect(userinfo.bodies).toHaveLength(1);
    expect(userinfo.headers.map(({ authorization }) => authorization?.slice(0, 10))).toEqual(['Bearer eyJ']);
    userinfo.document = { sub: 'alice', ga4gh_passport_v1: [] };
    elapsed += 3_600_000;
    expect(await decide(token)).toBe('FORBIDDEN');
    expect(userinfo.bodies).toHaveLength(2);
  });

  test('is not asked about a token that is not valid, has no subject, or has visas', async () => {
    userinfo.document = { ga4gh_passport_v1: [await issuer.signVisa()] };
    const decide = withUserInfo();
    expect(await decide({ exp: now() - 100 })).toBe('UNAUTHENTICATED');
    expect(await decide({ sub: undefined })).toBe('FORBIDDEN');
    expect(await decide({ ga4gh_passport_v1: [] })).toBe('FORBIDDEN');
    expect(userinfo.bodies).toHaveLength(0);
  });

  const text =
    (body: string, status = 200) =>
    (response: ServerResponse): void =>
      void response.writeHead(status).end(body);

  test.each<[string, (response: ServerResponse) => void, string]>([
    ['of another person', text('{"sub":"bob","ga4gh_passport_v1":[]}'), 'UNAVAILABLE'],
    ['without a subject', text('{"ga4gh_passport_v1":[]}'), 'UNAVAILABLE'],
    ['without a list of visas', text('{"sub":"alice","ga4gh_passport_v1":{}}'), 'UNAVAILABLE'],
    ['without visas', text('{"sub":"alice"}'), 'FORBIDDEN'],
    ['that is not JSON', text('x'), 'UNAVAILABLE'],
    ['that is null', text('null'), 'UNAVAILABLE'],
    ['that is too long', text(`{"sub":"alice"${' '.repeat(2 ** 20)}}`), 'UNAVAILABLE'],
    ['of the status 500', text('{"sub":"alice"}', 500), 'UNAVAILABLE'],
    ['of the status 401', text('{"sub":"alice"}', 401), 'UNAUTHENTICATED'],
    ['that breaks off', (response) => response.destroy(), 'UNAVAILABLE'],
    ['that redirects', (response) => response.writeHead(302, { location: '/x' }).end(), 'UNAVAILABLE'],
  ])('may have an answer %s', async (_, answer, expected) => {
    userinfo.answer = answer;
    expect(await withUserInfo()({})).toBe(expected);
    expect(userinfo.bodies).toHaveLength(1);
  });

  test('is left alone for five seconds after a failure', async () => {
    userinfo.answer = text('', 500);
    const decide = withUserInfo();
    const token = await signToken(key);
    for (let i = 0; i < 3; i++) expect(await decide(token)).toBe('UNAVAILABLE');
    expect(userinfo.bodies).toHaveLength(1);
    userinfo.answer = text(JSON.stringify({ sub: 'alice', ga4gh_passport_v1: [await issuer.signVisa()] }));
    elapsed += 5000;
    expect(await decide(token)).toBe('granted');
  });
});
