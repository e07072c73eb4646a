import { createHmac } from 'node:crypto';
import { JsonServer } from '@htskit/testing';
import { DATASET, PassportIssuer, type TokenParts } from '@htskit/testing/passport-issuer';
import { createKey, now } from '@htskit/testing/token-issuer';
import { base64url, exportSPKI, importJWK } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type AccessDecision,
  type Authorizer,
  type PassportAuthorizerOptions,
  passportAuthorizer,
  rules,
} from '../../src/index.js';

let issuer: PassportIssuer;
let other: PassportIssuer;
beforeAll(async () => {
  [issuer, other] = await Promise.all([
    PassportIssuer.start('https://issuer.example'),
    PassportIssuer.start('https://other.example'),
  ]);
});
afterAll(() => Promise.all([issuer.stop(), other.stop()]));
afterEach(() => vi.useRealTimers());

const policy = rules([{ datasets: ['D1'], objects: ['reads/a'] }]);

function access(options: Partial<PassportAuthorizerOptions> = {}): Authorizer {
  return passportAuthorizer({ trusted: [issuer.trusted], policy, ...options });
}

/** Returns the code of the refusal of a token, or `granted`. */
async function decide(authorizer: Authorizer, token: string, id = 'a'): Promise<string> {
  const request = new Request('http://a.example/', { headers: { authorization: `Bearer ${token}` } });
  return authorizer.decide(request, { datatype: 'reads', id }).then(
    () => 'granted',
    (error: { code: string }) => error.code,
  );
}

/** Decides about a passport with one visa. */
async function withVisa(parts: TokenParts, options?: Partial<PassportAuthorizerOptions>): Promise<string> {
  return decide(access(options), await issuer.signPassport([await issuer.signVisa(parts)]));
}

async function withVisas(
  visas: readonly (TokenParts | Promise<string>)[],
  options?: Partial<PassportAuthorizerOptions>,
): Promise<string> {
  const tokens = visas.map((visa) => (visa instanceof Promise ? visa : issuer.signVisa(visa)));
  return decide(access(options), await issuer.signPassport(await Promise.all(tokens)));
}

test('a visa of a dataset grants its objects and no others', async () => {
  const passport = await issuer.signPassport([await issuer.signVisa()]);
  expect(await decide(access(), passport)).toBe('granted');
  expect(await decide(access(), passport, 'b')).toBe('FORBIDDEN');
});

test('without a passport, a token is requested', async () => {
  await expect(access().decide(new Request('http://a.example/'), { datatype: 'reads', id: 'a' })).rejects.toMatchObject(
    {
      code: 'UNAUTHENTICATED',
    },
  );
});

test('a passport meets no rule that has no dataset, whatever its claims', async () => {
  const open = rules([{ objects: ['reads/a'] }, { claims: { groups: 'curators' } }]);
  const passport = await issuer.signPassport([], { claims: { groups: ['curators'] } });
  expect(await decide(access({ policy: open }), passport)).toBe('FORBIDDEN');
});

test('without a policy, a passport grants nothing', async () => {
  const passport = await issuer.signPassport([await issuer.signVisa()]);
  expect(await decide(passportAuthorizer({ trusted: [issuer.trusted] }), passport)).toBe('FORBIDDEN');
});

describe('a visa (Passport 1.2, "Visa Format") grants', () => {
  const cases: [string, TokenParts, string][] = [
    ['its dataset, if it is valid', {}, 'granted'],
    ['its dataset, with the type JWT', { header: { typ: 'JWT' } }, 'granted'],
    ['its dataset, without a type', { header: { typ: undefined } }, 'granted'],
    ['its dataset, with the type in full', { header: { typ: 'application/vnd.ga4gh.visa+jwt' } }, 'granted'],
    ['nothing as a passport', { header: { typ: 'vnd.ga4gh.passport+jwt' } }, 'FORBIDDEN'],
    ['nothing as an access token', { header: { typ: 'at+jwt' } }, 'FORBIDDEN'],
    ['nothing without a key URL', { header: { jku: undefined } }, 'FORBIDDEN'],
    ['nothing with a critical extension', { header: { crit: ['x'], x: 1 } }, 'FORBIDDEN'],
    ['nothing with the scope openid', { claims: { scope: 'openid email' } }, 'FORBIDDEN'],
    ['its dataset, with another scope', { claims: { scope: 'openids' } }, 'granted'],
    ['nothing without iss', { claims: { iss: undefined } }, 'FORBIDDEN'],
    ['nothing without sub', { claims: { sub: undefined } }, 'FORBIDDEN'],
    ['nothing without iat', { claims: { iat: undefined } }, 'FORBIDDEN'],
    ['nothing without exp', { claims: { exp: undefined } }, 'FORBIDDEN'],
    ['its dataset, without jti', { claims: { jti: undefined } }, 'granted'],
    ['nothing from another issuer', { claims: { iss: 'https://other.example' } }, 'FORBIDDEN'],
    ['nothing for another audience', { claims: { aud: 'https://x.example' } }, 'FORBIDDEN'],
    ['nothing if it has expired', { claims: { exp: now() - 61 } }, 'FORBIDDEN'],
    ['its dataset, if it expired within the clock skew', { claims: { exp: now() - 50 } }, 'granted'],
    ['nothing before it begins', { claims: { nbf: now() + 120 } }, 'FORBIDDEN'],
    ['nothing if it was issued in the future', { claims: { iat: now() + 120 } }, 'FORBIDDEN'],
    ['nothing if it was asserted in the future', { visa: { asserted: now() + 120 } }, 'FORBIDDEN'],
    ['nothing if its assertion has no time', { visa: { asserted: undefined } }, 'FORBIDDEN'],
    ['nothing if the time of its assertion is a text', { visa: { asserted: '1' } }, 'FORBIDDEN'],
    ['nothing without a visa object', { claims: { ga4gh_visa_v1: undefined } }, 'FORBIDDEN'],
    ['nothing if the visa object is a list', { claims: { ga4gh_visa_v1: [] } }, 'FORBIDDEN'],
    ['nothing if the visa object is null', { claims: { ga4gh_visa_v1: null } }, 'FORBIDDEN'],
    ['nothing of another type', { visa: { type: 'ResearcherStatus' } }, 'FORBIDDEN'],
    ['nothing of a custom type', { visa: { type: 'https://x.example/ControlledAccessGrants' } }, 'FORBIDDEN'],
    ['nothing of a type in lower case', { visa: { type: 'controlledaccessgrants' } }, 'FORBIDDEN'],
    ['nothing without a type', { visa: { type: undefined } }, 'FORBIDDEN'],
    ['nothing without a value', { visa: { value: undefined } }, 'FORBIDDEN'],
    ['nothing if its value is not a URL', { visa: { value: 'D1' } }, 'FORBIDDEN'],
    ['nothing if its value is a list', { visa: { value: [DATASET] } }, 'FORBIDDEN'],
    ['nothing if its value is too long', { visa: { value: `https://a.example/${'x'.repeat(240)}/D1` } }, 'FORBIDDEN'],
    ['nothing of another dataset', { visa: { value: 'https://data.example/datasets/D11' } }, 'FORBIDDEN'],
    ['nothing of a dataset in another case', { visa: { value: 'https://data.example/datasets/d1' } }, 'FORBIDDEN'],
    ['nothing if the dataset is in the query', { visa: { value: 'https://data.example/?x=/D1' } }, 'FORBIDDEN'],
    ['nothing if the dataset is in the fragment', { visa: { value: 'https://data.example/#/D1' } }, 'FORBIDDEN'],
    ['nothing if the dataset is a folder', { visa: { value: 'https://data.example/D1/' } }, 'FORBIDDEN'],
    ['nothing if the dataset is encoded', { visa: { value: 'https://data.example/%44%31' } }, 'FORBIDDEN'],
    ['nothing without a source', { visa: { source: undefined } }, 'FORBIDDEN'],
    ['nothing if its source is not a URL', { visa: { source: 'dac' } }, 'FORBIDDEN'],
    ['nothing without an authority', { visa: { by: undefined } }, 'FORBIDDEN'],
    ['nothing by the bearer', { visa: { by: 'self' } }, 'FORBIDDEN'],
    ['nothing by a peer', { visa: { by: 'peer' } }, 'FORBIDDEN'],
    ['nothing by an unknown authority', { visa: { by: 'DAC' } }, 'FORBIDDEN'],
    ['its dataset, by the system of the source', { visa: { by: 'system' } }, 'granted'],
    ['its dataset, with claims that are not known', { visa: { other: { nested: [1] } } }, 'granted'],
  ];

  test.each(cases)('%s', async (_, parts, expected) => {
    expect(await withVisa(parts)).toBe(expected);
  });

  test('its dataset, if the whole value is configured, and no longer one', async () => {
    const byUrl = rules([{ datasets: [DATASET] }]);
    expect(await withVisa({}, { policy: byUrl })).toBe('granted');
    expect(await withVisa({ visa: { value: `https://x.example/${DATASET}` } }, { policy: byUrl })).toBe('FORBIDDEN');
  });

  test('nothing if its source is not one of those that the issuer may sign for', async () => {
    const trusted = [{ ...issuer.trusted, sources: ['https://dac.example'] }];
    expect(await withVisa({}, { trusted })).toBe('granted');
    expect(await withVisa({ visa: { source: 'https://dac.example/' } }, { trusted })).toBe('FORBIDDEN');
  });

  test('nothing if it was asserted too long ago', async () => {
    expect(await withVisa({ visa: { asserted: now() - 3000 } }, { maxAgeSeconds: 3600 })).toBe('granted');
    expect(await withVisa({ visa: { asserted: now() - 3700 } }, { maxAgeSeconds: 3600 })).toBe('FORBIDDEN');
  });

  test('its dataset for a configured audience', async () => {
    const parts = { claims: { aud: ['https://x.example', 'https://data.example'] } };
    expect(await withVisa(parts, { audience: 'https://data.example' })).toBe('granted');
  });
});

describe('the key of a visa', () => {
  test('is fetched from no URL but that of its issuer in the configuration', async () => {
    const thief = await JsonServer.start(issuer.keys.document);
    const trusted = [issuer.trusted, other.trusted];
    for (const jku of [
      thief.url,
      other.keys.url,
      `${issuer.keys.url}?`,
      issuer.keys.url.replace('127.0.0.1', 'localhost'),
    ]) {
      expect(await withVisa({ header: { jku } }, { trusted })).toBe('FORBIDDEN');
    }
    expect(thief.bodies).toHaveLength(0);
    await thief.stop();
  });

  test('is not that of another trusted issuer', async () => {
    const trusted = [issuer.trusted, other.trusted];
    const forged = await other.signVisa({ claims: { iss: issuer.issuer } });
    const swapped = await other.signVisa({ header: { jku: issuer.keys.url }, claims: { iss: issuer.issuer } });
    for (const visa of [forged, swapped]) {
      expect(await decide(access({ trusted }), await issuer.signPassport([visa]))).toBe('FORBIDDEN');
    }
    const own = await issuer.signPassport([await other.signVisa()]);
    expect(await decide(access({ trusted }), own)).toBe('granted');
  });

  test('is not fetched by a redirect, and a visa that cannot be verified now is 503', async () => {
    const thief = await JsonServer.start(issuer.keys.document);
    const redirecting = await PassportIssuer.start('https://redirecting.example');
    redirecting.keys.answer = (response) => response.writeHead(302, { location: thief.url }).end();
    const trusted = [issuer.trusted, redirecting.trusted];
    const visa = await redirecting.signVisa({ key: issuer.key.privateKey });
    expect(await decide(access({ trusted }), await issuer.signPassport([visa]))).toBe('UNAVAILABLE');
    const both = await issuer.signPassport([visa, await issuer.signVisa()]);
    expect(await decide(access({ trusted }), both)).toBe('granted');
    expect(thief.bodies).toHaveLength(0);
    await Promise.all([thief.stop(), redirecting.stop()]);
  });

  test('may be replaced by its issuer', async () => {
    let elapsed = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => elapsed);
    const rotating = await PassportIssuer.start('https://rotating.example');
    const authorizer = access({ trusted: [rotating.trusted] });
    const passport = async (): Promise<string> => rotating.signPassport([await rotating.signVisa()]);
    const old = await passport();
    expect(await decide(authorizer, old)).toBe('granted');
    await rotating.rotate();
    expect(await decide(authorizer, await passport())).toBe('UNAUTHENTICATED');
    elapsed += 31_000;
    expect(await decide(authorizer, await passport())).toBe('granted');
    // Verified visas are cached for five minutes.
    expect(await decide(authorizer, old)).toBe('granted');
    elapsed += 300_000;
    expect(await decide(authorizer, old)).toBe('UNAUTHENTICATED');
    await rotating.stop();
  });
});

describe('a forged', () => {
  const hs256 = (secret: string | Uint8Array) => (input: string) =>
    createHmac('sha256', secret).update(input).digest('base64url');

  /** A token whose signature is as given. */
  async function forge(token: string, header: object, sign: (input: string) => string): Promise<string> {
    const [, claims = ''] = token.split('.');
    const original = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as object;
    const input = `${base64url.encode(JSON.stringify({ ...original, ...header }))}.${claims}`;
    return `${input}.${sign(input)}`;
  }

  const signers: [string, object, (pem: string) => (input: string) => string][] = [
    ['has no signature', { alg: 'none' }, () => () => ''],
    ['has something in place of a signature', { alg: 'none' }, () => () => 'AAAA'],
    ['names the algorithm in other letters', { alg: 'None' }, () => () => 'AAAA'],
    ['is signed with the public key as a secret', { alg: 'HS256' }, hs256],
    ['has the key in it', { alg: 'ES256', jwk: {} }, () => () => 'AAAA'],
  ];

  test.each(signers)('visa or passport is refused if it %s', async (_, header, signer) => {
    const pem = await exportSPKI((await importJWK(issuer.key.jwk, 'ES256')) as CryptoKey);
    const visa = await forge(await issuer.signVisa(), header, signer(pem));
    expect(await decide(access(), await issuer.signPassport([visa]))).toBe('FORBIDDEN');
    const passport = await forge(await issuer.signPassport([await issuer.signVisa()]), header, signer(pem));
    expect(await decide(access(), passport)).toBe('UNAUTHENTICATED');
  });

  test('visa or passport is refused if another key signed it', async () => {
    const { privateKey: key } = await createKey('one');
    expect(await withVisa({ key })).toBe('FORBIDDEN');
    expect(await decide(access(), await issuer.signPassport([await issuer.signVisa()], { key }))).toBe(
      'UNAUTHENTICATED',
    );
  });

  test('visa is refused if its algorithm is not one of the profile', async () => {
    const key = await createKey('one', 'ES384');
    const third = await PassportIssuer.start('https://third.example');
    third.key = key;
    third.keys.document = { keys: [key.jwk] };
    const passport = await issuer.signPassport([await third.signVisa()]);
    expect(await decide(access({ trusted: [issuer.trusted, third.trusted] }), passport)).toBe('FORBIDDEN');
    await third.stop();
  });
});

describe('a passport (AAI OIDC Profile 1.2, "Passport Format")', () => {
  const cases: [string, TokenParts, string][] = [
    ['is accepted without an audience', { claims: { aud: undefined } }, 'granted'],
    ['of an issuer that is not trusted', { claims: { iss: 'https://other.example' } }, 'UNAUTHENTICATED'],
    ['without an issuer', { claims: { iss: undefined } }, 'UNAUTHENTICATED'],
    ['without a subject', { claims: { sub: undefined } }, 'UNAUTHENTICATED'],
    ['without the time of issue', { claims: { iat: undefined } }, 'UNAUTHENTICATED'],
    ['without an expiry', { claims: { exp: undefined } }, 'UNAUTHENTICATED'],
    ['that has expired', { claims: { exp: now() - 100 } }, 'UNAUTHENTICATED'],
    ['that was issued in the future', { claims: { iat: now() + 120 } }, 'UNAUTHENTICATED'],
    ['that is not valid yet', { claims: { nbf: now() + 120 } }, 'UNAUTHENTICATED'],
    ['for another audience', { claims: { aud: 'https://x.example' } }, 'UNAUTHENTICATED'],
    ['without visas', { claims: { ga4gh_passport_v1: undefined } }, 'UNAUTHENTICATED'],
    ['whose visas are a text', { claims: { ga4gh_passport_v1: 'x' } }, 'UNAUTHENTICATED'],
    ['of another type', { header: { typ: 'JWT' } }, 'UNAUTHENTICATED'],
    ['that is a visa', { header: { typ: 'vnd.ga4gh.visa+jwt' } }, 'UNAUTHENTICATED'],
    ['without a type', { header: { typ: undefined } }, 'UNAUTHENTICATED'],
  ];

  test.each(cases)('%s', async (_, parts, expected) => {
    expect(await decide(access(), await issuer.signPassport([await issuer.signVisa()], parts))).toBe(expected);
  });

  test('may have visas that are not valid beside one that is', async () => {
    const nested = await issuer.signPassport([await issuer.signVisa()]);
    const junk = [null, 1, '', 'a.b.c', 'x'.repeat(20_000), {}, [await issuer.signVisa()], nested, `${nested}.`];
    expect(await decide(access(), await issuer.signPassport(junk))).toBe('FORBIDDEN');
    expect(await decide(access(), await issuer.signPassport([...junk, await issuer.signVisa()]))).toBe('granted');
  });

  test('does not inherit a grant from a passport inside of it', async () => {
    expect(await withVisas([issuer.signPassport([await issuer.signVisa()])])).toBe('FORBIDDEN');
  });

  test('may have a visa twice', async () => {
    const visa = await issuer.signVisa();
    expect(await decide(access(), await issuer.signPassport([visa, visa]))).toBe('granted');
  });

  test('with more visas than allowed is refused, and none of them is verified', async () => {
    const fresh = await PassportIssuer.start('https://fresh.example');
    const passport = await issuer.signPassport(Array.from({ length: 10_000 }, (_, index) => `a.${index}.c`));
    expect(await decide(access({ trusted: [issuer.trusted, fresh.trusted] }), passport)).toBe('UNAUTHENTICATED');
    const two = await issuer.signPassport([await fresh.signVisa(), await issuer.signVisa()]);
    expect(await decide(access({ trusted: [issuer.trusted, fresh.trusted], maxVisas: 1 }), two)).toBe(
      'UNAUTHENTICATED',
    );
    expect(fresh.keys.bodies).toHaveLength(0);
    await fresh.stop();
  });

  test('of ten megabytes is refused unparsed', async () => {
    const fresh = await PassportIssuer.start('https://fresh.example');
    const passport = await fresh.signPassport(['x'.repeat(10_000_000)]);
    expect(await decide(access({ trusted: [fresh.trusted] }), passport)).toBe('UNAUTHENTICATED');
    expect(fresh.keys.bodies).toHaveLength(0);
    await fresh.stop();
  });

  test('is refused by an authorizer of JSON Web Tokens', async () => {
    const { jwtAuthorizer } = await import('../../src/index.js');
    const jwt = jwtAuthorizer({ jwksUrl: issuer.keys.url, issuer: issuer.issuer, audience: 'x' });
    expect(await decide(jwt, await issuer.signPassport([await issuer.signVisa()]))).toBe('UNAUTHENTICATED');
    const request = new Request('http://a.example/');
    const object = { datatype: 'reads', id: 'a', passports: [await issuer.signPassport([])] };
    await expect(jwt.decide(request, object)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

describe('passports of the body', () => {
  const decideBody = async (passports: readonly string[]): Promise<string> =>
    access()
      .decide(new Request('http://a.example/'), { datatype: 'reads', id: 'a', passports })
      .then(
        () => 'granted',
        (error: { code: string }) => error.code,
      );

  test('replace the bearer token', async () => {
    const [empty, full] = [await issuer.signPassport([]), await issuer.signPassport([await issuer.signVisa()])];
    expect(await decideBody([full])).toBe('granted');
    expect(await decideBody([empty, full])).toBe('granted');
    expect(await decideBody([empty])).toBe('FORBIDDEN');
    expect(await decideBody([])).toBe('UNAUTHENTICATED');
    expect(await decideBody([full, 'x'])).toBe('UNAUTHENTICATED');
    expect(await decideBody(Array.from({ length: 11 }, () => full))).toBe('UNAUTHENTICATED');
  });
});

test('decisions and permissions name the subject and the visas that grant', async () => {
  const seen: AccessDecision[] = [];
  const onDecision = (_: Request, decision: AccessDecision): void => void seen.push(decision);
  const visas = [{ claims: { jti: 'v1' } }, { claims: { jti: 'v2' }, visa: { value: 'https://x.example/D2' } }, {}];
  const passport = await issuer.signPassport(await Promise.all(visas.map((visa) => issuer.signVisa(visa))));
  const request = new Request('http://a.example/', { headers: { authorization: `Bearer ${passport}` } });
  const object = { datatype: 'reads', id: 'a' };
  const named = await access({ namesSubject: true, onDecision }).decide(request, object);
  expect(named).toEqual({ regions: 'all', subject: 'alice', visas: ['v1', 'visa-1'] });
  expect(await access().decide(request, object)).toBe('all');
  await access({ onDecision })
    .decide(request, { ...object, id: 'b' })
    .catch(() => undefined);
  expect(seen).toEqual([
    { ...object, isGranted: true, subject: 'alice', visas: ['v1', 'visa-1'] },
    { ...object, id: 'b', isGranted: false, subject: 'alice', visas: [] },
  ]);
});

describe('the cache of verified visas', () => {
  test('ends with the first of the expiries of the passport and its visas', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-01T00:00:00Z') });
    const authorizer = access({ clockSkewSeconds: 0 });
    const short = await issuer.signPassport([await issuer.signVisa({ claims: { exp: now() + 30 } })]);
    const passing = await issuer.signPassport([await issuer.signVisa()], { claims: { exp: now() + 30 } });
    const asserted = await issuer.signPassport([await issuer.signVisa({ visa: { asserted: now() - 30 } })]);
    const aging = access({ clockSkewSeconds: 0, maxAgeSeconds: 60 });
    for (const passport of [short, passing]) expect(await decide(authorizer, passport)).toBe('granted');
    expect(await decide(aging, asserted)).toBe('granted');
    vi.setSystemTime(Date.now() + 29_000);
    for (const passport of [short, passing]) expect(await decide(authorizer, passport)).toBe('granted');
    vi.setSystemTime(Date.now() + 1000);
    expect(await decide(authorizer, short)).toBe('FORBIDDEN');
    expect(await decide(authorizer, passing)).toBe('UNAUTHENTICATED');
    expect(await decide(aging, asserted)).toBe('FORBIDDEN');
  });

  test('verifies the visas of a passport once', async () => {
    const verify = vi.spyOn(crypto.subtle, 'verify');
    const passport = await issuer.signPassport([
      await issuer.signVisa(),
      await issuer.signVisa({ claims: { jti: '2' } }),
    ]);
    const authorizer = access();
    for (let i = 0; i < 5; i++) expect(await decide(authorizer, passport)).toBe('granted');
    expect(verify).toHaveBeenCalledTimes(3);
  });
});

test.each([
  { trusted: [] },
  { trusted: [{ issuer: 'https://a.example', jwksUrl: 'file:///etc/keys' }] },
  { userinfoUrl: 'https://a:secret@b.example/' },
])('refuses the options %j', (options) => {
  expect(() => access(options)).toThrow(RangeError);
});
