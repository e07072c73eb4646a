import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import type { JsonServer } from './json-server.js';

export const ISSUER = 'https://issuer.example';
export const AUDIENCE = 'https://data.example';

/** A key pair of a token issuer. */
export interface IssuerKey {
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

export async function createKey(kid: string, alg = 'ES256'): Promise<IssuerKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** Those of a token; undefined ones are left out. */
export type Claims = Readonly<Record<string, unknown>>;

/** Seconds since 1970-01-01 UTC. */
export function now(): number {
  return Math.floor(Date.now() / 1000);
}

/** Claims of a token that is valid for ten minutes otherwise, and those given. */
export function claimsOf(claims: Claims = {}): JWTPayload {
  const all = { iss: ISSUER, aud: AUDIENCE, sub: 'alice', iat: now(), exp: now() + 600, ...claims };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

export function signToken({ alg, privateKey, jwk }: IssuerKey, claims?: Claims): Promise<string> {
  const header = { alg, typ: 'at+jwt', ...(jwk.kid !== undefined && { kid: jwk.kid }) };
  return new SignJWT(claimsOf(claims)).setProtectedHeader(header).sign(privateKey);
}

export function keySetOf(...keys: readonly IssuerKey[]): { keys: JWK[] } {
  return { keys: keys.map(({ jwk }) => jwk) };
}

/** The section `jwt` of a service that trusts the keys of a server. */
export function jwtOf({ url }: JsonServer): { jwksUrl: string; issuer: string; audience: string } {
  return { jwksUrl: url, issuer: ISSUER, audience: AUDIENCE };
}
