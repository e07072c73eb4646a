import { createHmac } from 'node:crypto';
import { JsonServer, mutations, volume } from '@htskit/testing';
import {
  AUDIENCE,
  type Claims,
  claimsOf,
  createKey,
  ISSUER,
  jwtOf,
  keySetOf,
  now,
  signToken,
} from '@htskit/testing/token-issuer';
import { base64url, exportSPKI, importJWK } from 'jose';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTokenVerifier, type SignatureAlgorithm, type TokenVerifier } from '../../src/tokens/bearer-token.js';

const key = await createKey('one');
let provider: JsonServer;
let verify: TokenVerifier;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-01T00:00:00Z') });
  provider = await JsonServer.start(keySetOf(key));
  verify = createTokenVerifier(jwtOf(provider));
});

afterEach(async () => {
  vi.useRealTimers();
  await provider.stop();
});

const READS = 'read:genomic_reads';

/** Returns why a token is refused, or 'accepted'. */
async function outcome(token: string, scope?: string): Promise<string> {
  return verify(`Bearer ${token}`, scope).then(
    () => 'accepted',
    (error: { code: string }) => error.code,
  );
}

function challengeOf(authorization: string | null, scope?: string): Promise<string | undefined> {
  return verify(authorization, scope).then(
    () => undefined,
    (error: { challenge?: string }) => error.challenge,
  );
}

/** A token whose header and signature are as given. */
function forge(header: object, sign: (input: string) => string, claims?: Claims): string {
  const input = [header, claimsOf(claims)].map((part) => base64url.encode(JSON.stringify(part))).join('.');
  return `${input}.${sign(input)}`;
}

function hs256(secret: string | Uint8Array): (input: string) => string {
  return (input) => createHmac('sha256', secret).update(input).digest('base64url');
}

test('returns the claims and the expiry of a valid token', async () => {
  const token = await signToken(key, { groups: ['a'] });
  const bearer = await verify(`Bearer ${token}`, undefined);
  expect(bearer).toMatchObject({ token, claims: { sub: 'alice', groups: ['a'] } });
});

test.each(['RS256', 'PS256', 'ES384', 'EdDSA'])('accepts a token signed with %s', async (alg) => {
  const other = await createKey('other', alg);
  provider.document = { keys: [key.jwk, other.jwk] };
  expect(await outcome(await signToken(other))).toBe('accepted');
});

test.each(['Bearer', 'bearer', 'BEARER'])('accepts the scheme %s', async (scheme) => {
  const { claims } = await verify(`${scheme} ${await signToken(key)}`, undefined);
  expect(claims.sub).toBe('alice');
});

describe('the time of a token', () => {
  // The skew is 60 seconds by default.
  test.each([
    ['ends now', { exp: 0 }, 'accepted'],
    ['ended a second less than the skew ago', { exp: -59 }, 'accepted'],
    ['ended as long ago as the skew', { exp: -60 }, 'UNAUTHENTICATED'],
    ['begins as much later as the skew', { nbf: 60 }, 'accepted'],
    ['begins a second later than that', { nbf: 61 }, 'UNAUTHENTICATED'],
  ])('%s', async (_, times: Record<string, number>, expected) => {
    const claims = Object.fromEntries(Object.entries(times).map(([name, seconds]) => [name, now() + seconds]));
    expect(await outcome(await signToken(key, claims))).toBe(expected);
  });

  test.each([0, 5])('tolerates a skew of %d seconds', async (clockSkewSeconds) => {
    verify = createTokenVerifier({ ...jwtOf(provider), clockSkewSeconds });
    expect(await outcome(await signToken(key, { exp: now() - clockSkewSeconds + 1 }))).toBe('accepted');
    expect(await outcome(await signToken(key, { exp: now() - clockSkewSeconds }))).toBe('UNAUTHENTICATED');
  });

  test('rejects a token that expires between two requests', async () => {
    const token = await signToken(key);
    expect(await outcome(token)).toBe('accepted');
    vi.setSystemTime(Date.now() + 660_000);
    expect(await outcome(token)).toBe('UNAUTHENTICATED');
  });
});

test.each<[string, Claims]>([
  ['another issuer', { iss: 'https://other.example' }],
  ['no issuer', { iss: undefined }],
  ['another audience', { aud: 'https://other.example' }],
  ['other audiences', { aud: ['https://other.example', 'https://third.example'] }],
  ['no audience', { aud: undefined }],
  ['no end', { exp: undefined }],
  ['an expiry that is not a number', { exp: '9999999999' }],
])('rejects a token with %s', async (_, claims) => {
  expect(await outcome(await signToken(key, claims))).toBe('UNAUTHENTICATED');
});

test('accepts any of several issuers and audiences', async () => {
  const several = { issuer: ['https://other.example', ISSUER], audience: [AUDIENCE, 'https://other.example'] };
  verify = createTokenVerifier({ ...jwtOf(provider), ...several });
  expect(await outcome(await signToken(key, { aud: ['https://third.example', 'https://other.example'] }))).toBe(
    'accepted',
  );
});

test.each([
  { jwksUrl: 'keys.json' },
  { jwksUrl: 'https://a:secret@b.example/' },
  { issuer: '' },
  { issuer: [] },
  { audience: [''] },
])('the options %j are refused, because they would accept any token', (options) => {
  expect(() => createTokenVerifier({ ...jwtOf(provider), ...options })).toThrow(RangeError);
});

describe('a forged token', () => {
  const none = (): string => '';

  test.each([
    ['without a signature', forge({ alg: 'none' }, none)],
    ['without a signature, that names the key', forge({ alg: 'none', kid: 'one' }, none)],
    ['whose algorithm is written otherwise', forge({ alg: 'NONE', kid: 'one' }, none)],
    ['without a signature, but something in its place', forge({ alg: 'none', kid: 'one' }, () => 'AAAA')],
    ['without an algorithm', forge({ kid: 'one' }, none)],
    ['with an empty signature', forge({ alg: 'ES256', kid: 'one' }, none)],
    ['signed with a shared secret', forge({ alg: 'HS256', kid: 'one' }, hs256('secret'))],
    ['with the key in it', forge({ alg: 'ES256', jwk: key.jwk }, none)],
    ['with an extension that must be understood', forge({ alg: 'ES256', kid: 'one', crit: ['x'], x: 1 }, none)],
  ])('is rejected: %s', async (_, token) => {
    expect(await outcome(token)).toBe('UNAUTHENTICATED');
  });

  test('is rejected if signed with the public key as a shared secret', async () => {
    const rsa = await createKey('rsa', 'RS256');
    provider.document = { keys: [rsa.jwk] };
    expect(await outcome(await signToken(rsa))).toBe('accepted');
    const pem = await exportSPKI((await importJWK(rsa.jwk, 'RS256')) as CryptoKey);
    const secrets = [pem, pem.trim(), JSON.stringify(rsa.jwk), base64url.decode(rsa.jwk.n ?? '')];
    for (const secret of secrets) {
      expect(await outcome(forge({ alg: 'HS256', kid: 'rsa' }, hs256(secret)))).toBe('UNAUTHENTICATED');
    }
  });

  test('is rejected even if the key set contains its shared secret', async () => {
    const secret = crypto.getRandomValues(new Uint8Array(32));
    provider.document = { keys: [{ kty: 'oct', k: base64url.encode(secret), kid: 'shared', alg: 'HS256' }] };
    expect(await outcome(forge({ alg: 'HS256', kid: 'shared' }, hs256(secret)))).toBe('UNAUTHENTICATED');
  });

  test('is rejected if signed by an unknown key under a known id', async () => {
    const other = await createKey('one');
    expect(await outcome(await signToken(other))).toBe('UNAUTHENTICATED');
  });

  test('cannot use an algorithm that is not configured', async () => {
    verify = createTokenVerifier({ ...jwtOf(provider), algorithms: ['RS256'] });
    expect(await outcome(await signToken(key))).toBe('UNAUTHENTICATED');
    for (const algorithm of ['none', 'HS256', 'HS512'] as unknown as SignatureAlgorithm[]) {
      expect(() => createTokenVerifier({ ...jwtOf(provider), algorithms: [algorithm] })).toThrow(/is not asymmetric$/);
    }
  });
});

/** Compares two tokens. The last character of a signature has bits that are ignored. */
function isSame(mutated: string, token: string): boolean {
  const [[header, claims, signature = '', ...others], [...original]] = [mutated.split('.'), token.split('.')];
  const isSigned =
    others.length === 0 && header === original[0] && claims === original[1] && /^[\w-]+$/.test(signature);
  return isSigned && Buffer.from(signature, 'base64url').equals(Buffer.from(original[2] ?? '', 'base64url'));
}

describe('a damaged token', () => {
  test('is rejected wherever it is truncated', async () => {
    const token = await signToken(key);
    for (let length = 0; length < token.length; length++) {
      expect(await outcome(token.slice(0, length)), `cut at ${length}`).toBe('UNAUTHENTICATED');
    }
  });

  test('is rejected whichever byte is changed', async () => {
    const token = await signToken(key);
    for (const { bytes, description } of mutations(Buffer.from(token), { seed: 8, count: volume(400) })) {
      const mutated = Buffer.from(bytes).toString('latin1');
      expect(await outcome(mutated), description).toBe(isSame(mutated, token) ? 'accepted' : 'UNAUTHENTICATED');
    }
  });

  test('is rejected unparsed if it has a megabyte', async () => {
    expect(await outcome(await signToken(key, { note: 'x'.repeat(1_000_000) }))).toBe('UNAUTHENTICATED');
    expect(provider.bodies.length).toBe(0);
  });
});

describe('the challenge', () => {
  test.each([null, '', 'Basic YTpi', 'Bearerabc'])('requests a token and a scope for %j', async (header) => {
    expect(await challengeOf(header, READS)).toBe(`Bearer scope="${READS}"`);
    expect(await challengeOf(header)).toBe('Bearer');
  });

  test.each(['Bearer', 'Bearer ', 'Bearer x', 'Bearer a.b.c', 'Bearer a, Bearer b'])(
    'reports that %j has no valid token',
    async (header) => {
      expect(await challengeOf(header)).toBe(
        'Bearer error="invalid_token", error_description="the token is not valid"',
      );
    },
  );

  test('describes the fault of a token', async () => {
    const expired = await signToken(key, { exp: now() - 100 });
    expect(await challengeOf(`Bearer ${expired}`)).toContain('error_description="the token has expired"');
    const other = await signToken(key, { aud: 'https://secret.example' });
    const challenge = await challengeOf(`Bearer ${other}`);
    expect(challenge).toContain('error_description="the claim aud of the token is not accepted"');
    expect(challenge).not.toContain('secret');
  });
});

describe('scopes', () => {
  test.each<[string, Claims]>([
    ['scope as text', { scope: `openid ${READS} email` }],
    ['scp as a list', { scp: ['openid', READS] }],
    ['scp as text', { scp: `openid ${READS}` }],
    ['scope as a list', { scope: [READS] }],
  ])('are read from %s', async (_, claims) => {
    expect(await outcome(await signToken(key, claims), READS)).toBe('accepted');
    expect(await outcome(await signToken(key, claims), 'read:genomic_variants')).toBe('FORBIDDEN');
  });

  test.each([undefined, '', 'read:genomic_reads_too', 'read:genomic', 7, { [READS]: true }, [[READS]]])(
    'are not satisfied by %j',
    async (scope) => {
      expect(await outcome(await signToken(key, { scope }), READS)).toBe('FORBIDDEN');
    },
  );

  test('are named in the challenge if the required one is missing', async () => {
    expect(await challengeOf(`Bearer ${await signToken(key)}`, READS)).toBe(
      `Bearer error="insufficient_scope", scope="${READS}"`,
    );
  });
});
