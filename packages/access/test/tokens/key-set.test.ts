import { generateKeyPairSync, sign } from 'node:crypto';
import { JsonServer } from '@htskit/testing';
import { claimsOf, createKey, jwtOf, keySetOf, signToken } from '@htskit/testing/token-issuer';
import { base64url } from 'jose';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTokenVerifier, type TokenVerifier } from '../../src/tokens/bearer-token.js';

const key = await createKey('one');
const privateJwk = { ...key.jwk, d: base64url.encode(new Uint8Array(32).fill(1)) };

let provider: JsonServer;
let verify: TokenVerifier;
/** Milliseconds that have passed, whatever the clock of the system shows. */
let elapsed: number;

beforeEach(async () => {
  elapsed = 0;
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-01T00:00:00Z') });
  provider = await JsonServer.start(keySetOf(key));
  verify = createTokenVerifier(jwtOf(provider), { now: () => elapsed });
});

afterEach(async () => {
  vi.useRealTimers();
  await provider.stop();
});

/** Returns why a token is refused, or 'accepted'. */
async function outcome(token: string): Promise<string> {
  return verify(`Bearer ${token}`, undefined).then(
    () => 'accepted',
    (error: { code: string }) => error.code,
  );
}

test('a token that was signed with a short RSA key is refused', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode({ alg: 'RS256', kid: 'weak' })}.${encode(claimsOf())}`;
  const signature = sign('sha256', Buffer.from(signed), privateKey).toString('base64url');
  provider.document = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'weak', alg: 'RS256' }] };
  expect(await outcome(`${signed}.${signature}`)).toBe('UNAUTHENTICATED');
});

describe('the key set', () => {
  test('is fetched once for many tokens, and again after ten minutes', async () => {
    const ask = async (): Promise<string> => outcome(await signToken(key));
    expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set(['accepted']));
    expect(provider.bodies.length).toBe(1);
    elapsed += 599_000;
    await ask();
    expect(provider.bodies.length).toBe(1);
    elapsed += 2000;
    await ask();
    expect(provider.bodies.length).toBe(2);
  });

  test('is fetched again for an unknown key, at most every 30 seconds', async () => {
    const [next, stranger] = [await createKey('two'), await createKey('three')];
    expect(await outcome(await signToken(key))).toBe('accepted');
    provider.document = keySetOf(key, next);
    for (let i = 0; i < 5; i++) expect(await outcome(await signToken(next))).toBe('UNAUTHENTICATED');
    expect(provider.bodies.length).toBe(1);
    elapsed += 30_000;
    expect(await outcome(await signToken(next))).toBe('accepted');
    for (let i = 0; i < 5; i++) expect(await outcome(await signToken(stranger))).toBe('UNAUTHENTICATED');
    expect(provider.bodies.length).toBe(2);
  });

  test('invalidates the tokens of a removed key once it is fetched', async () => {
    const next = await createKey('two');
    expect(await outcome(await signToken(key))).toBe('accepted');
    provider.document = keySetOf(next);
    elapsed += 30_000;
    expect(await outcome(await signToken(next))).toBe('accepted');
    expect(await outcome(await signToken(key))).toBe('UNAUTHENTICATED');
  });

  test.each<[string, (typeof provider)['answer']]>([
    ['a status 500', (response) => response.writeHead(500).end('{"keys":[]}')],
    ['a page', (response) => response.end('<html>')],
    ['another document', (response) => response.end('{"key":[]}')],
    ['a key set of two megabytes', (response) => response.end(`{"keys":[]${' '.repeat(2 ** 21)}}`)],
    ['a broken connection', (response) => response.destroy()],
    ['a private key', (response) => response.end(JSON.stringify({ keys: [privateJwk] }))],
    ['an invalid key', (response) => response.end(JSON.stringify({ keys: [{ ...key.jwk, x: 'AA' }] }))],
  ])('makes the service unavailable, not the token invalid, if it cannot be read: %s', async (_, answer) => {
    const token = await signToken(key);
    provider.answer = answer;
    expect(await outcome(token)).toBe('UNAVAILABLE');
  });

  test('is not fetched through a redirect', async () => {
    const { answer } = provider;
    provider.answer = (response) => {
      if (provider.bodies.length > 1) answer(response);
      else response.writeHead(302, { location: '/elsewhere' }).end();
    };
    expect(await outcome(await signToken(key))).toBe('UNAVAILABLE');
    expect(provider.bodies).toHaveLength(1);
  });

  test.each<[string, (typeof provider)['answer']]>([
    ['an answer', () => undefined],
    ['the rest of an answer', (response) => response.writeHead(200).write('{"keys":')],
  ])('times out after five seconds: %s', async (_, answer) => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => timeout(milliseconds / 100));
    provider.answer = answer;
    expect(await outcome(await signToken(key))).toBe('UNAVAILABLE');
    expect(spy.mock.calls).toEqual([[5000]]);
    spy.mockRestore();
  });

  test('is requested again five seconds after a failure', async () => {
    const { answer } = provider;
    provider.answer = (response) => response.writeHead(503).end();
    const token = await signToken(key);
    for (let i = 0; i < 5; i++) expect(await outcome(token)).toBe('UNAVAILABLE');
    expect(provider.bodies.length).toBe(1);
    provider.answer = answer;
    elapsed += 5000;
    expect(await outcome(token)).toBe('accepted');
  });

  test('still serves known keys if a refresh fails', async () => {
    expect(await outcome(await signToken(key))).toBe('accepted');
    await provider.stop();
    elapsed += 30_000;
    expect(await outcome(await signToken(await createKey('two')))).toBe('UNAVAILABLE');
    expect(await outcome(await signToken(key))).toBe('accepted');
    provider = await JsonServer.start(keySetOf(key));
  });

  test('that was fetched while the clock was ahead ages as any other after the clock was set right', async () => {
    const next = await createKey('two');
    vi.setSystemTime(Date.now() + 7_200_000);
    expect(await outcome(await signToken(key))).toBe('accepted');
    vi.setSystemTime(Date.now() - 7_200_000);
    provider.document = keySetOf(next);
    elapsed += 30_000;
    expect(await outcome(await signToken(next))).toBe('accepted');
    expect(await outcome(await signToken(key))).toBe('UNAUTHENTICATED');
  });

  test('is requested again although the clock was set back after a failure', async () => {
    const { answer } = provider;
    provider.answer = (response) => response.writeHead(503).end();
    vi.setSystemTime(Date.now() + 7_200_000);
    expect(await outcome(await signToken(key))).toBe('UNAVAILABLE');
    vi.setSystemTime(Date.now() - 7_200_000);
    provider.answer = answer;
    elapsed += 5000;
    expect(await outcome(await signToken(key))).toBe('accepted');
  });
});
