import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface SigningKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** A received request. */
export interface SignedRequest {
  readonly method: string;
  /** The path and the query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

interface Claim {
  readonly accessKeyId: string;
  /** The day, region, service and `aws4_request`. */
  readonly scope: string;
  readonly date: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly payload: string;
  readonly sessionToken: string | undefined;
  /** In milliseconds since 1970. */
  readonly expires: number;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const MAX_SKEW_MILLISECONDS = 15 * 60_000;

/**
 * Returns the code of the S3 error for a request without a valid AWS Signature Version 4, or undefined if the signature is
 * valid. Implements the documentation of the algorithm independently of the signer.
 */
export function checkSignature(request: SignedRequest, keys: SigningKeys, now: number): string | undefined {
  const url = new URL(request.target, 'http://localhost');
  const claim = url.searchParams.has('X-Amz-Signature') ? readQuery(url) : readHeaders(request);
  if (claim === undefined || claim.accessKeyId !== keys.accessKeyId) return 'AccessDenied';
  if (claim.sessionToken !== keys.sessionToken) return 'InvalidToken';
  if (now > claim.expires || now < parseDate(claim.date) - MAX_SKEW_MILLISECONDS) return 'RequestTimeTooSkewed';
  if (!claim.scope.startsWith(claim.date.slice(0, 8)) || !claim.scope.endsWith('/s3/aws4_request'))
    return 'AccessDenied';
  const required = Object.keys(request.headers).filter((name) => name === 'host' || name.startsWith('x-amz-'));
  if (required.some((name) => !claim.signedHeaders.includes(name))) return 'AccessDenied';
  if (claim.payload !== 'UNSIGNED-PAYLOAD' && claim.payload !== sha256(request.body))
    return 'XAmzContentSHA256Mismatch';
  const expected = Buffer.from(sign(claim, { request, url, keys }));
  const found = Buffer.from(claim.signature);
  return expected.length === found.length && timingSafeEqual(expected, found) ? undefined : 'SignatureDoesNotMatch';
}

function readHeaders({ headers }: SignedRequest): Claim | undefined {
  const fields = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=(\S+)$/;
  const [, accessKeyId, scope, signed, signature] = fields.exec(headers.authorization ?? '') ?? [];
  const date = String(headers['x-amz-date']);
  if (accessKeyId === undefined || scope === undefined || signed === undefined || signature === undefined)
    return undefined;
  return {
    accessKeyId,
    scope,
    date,
    signature,
    signedHeaders: signed.split(';'),
    payload: String(headers['x-amz-content-sha256']),
    sessionToken: headers['x-amz-security-token']?.toString(),
    expires: parseDate(date) + MAX_SKEW_MILLISECONDS,
  };
}

function readQuery({ searchParams }: URL): Claim | undefined {
  const field = (name: string): string => searchParams.get(`X-Amz-${name}`) ?? '';
  if (field('Algorithm') !== ALGORITHM) return undefined;
  const [accessKeyId = '', ...scope] = field('Credential').split('/');
  return {
    accessKeyId,
    scope: scope.join('/'),
    date: field('Date'),
    signature: field('Signature'),
    signedHeaders: field('SignedHeaders').split(';'),
    payload: 'UNSIGNED-PAYLOAD',
    sessionToken: searchParams.get('X-Amz-Security-Token') ?? undefined,
    expires: parseDate(field('Date')) + Number(field('Expires')) * 1000,
  };
}

interface Signing {
  readonly request: SignedRequest;
  readonly url: URL;
  readonly keys: SigningKeys;
}

function sign(claim: Claim, { request, url, keys }: Signing): string {
  const canonical = [
    request.method,
    request.target.split('?')[0] ?? '',
    canonicalQuery(url),
    ...claim.signedHeaders.map((name) => `${name}:${String(request.headers[name]).trim().replace(/\s+/g, ' ')}`),
    '',
    claim.signedHeaders.join(';'),
    claim.payload,
  ].join('\n');
  const toSign = [ALGORITHM, claim.date, claim.scope, sha256(Buffer.from(canonical))].join('\n');
  let key = Buffer.from(`AWS4${keys.secretAccessKey}`);
  for (const part of claim.scope.split('/')) key = createHmac('sha256', key).update(part).digest();
  return createHmac('sha256', key).update(toSign).digest('hex');
}

function canonicalQuery({ searchParams }: URL): string {
  return Array.from(searchParams)
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map((pair) => pair.map(encode).join('='))
    .sort()
    .join('&');
}

function encode(text: string): string {
  return Array.from(Buffer.from(text), (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9._~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Parses a time such as 20130524T000000Z to milliseconds since 1970. */
function parseDate(date: string): number {
  return Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}
