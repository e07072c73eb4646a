import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkSignature, type SignedRequest } from '../../src/servers/s3-signature.js';

// The examples of Amazon S3's API reference, "Authenticating Requests (AWS Signature Version 4)".
const keys = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
const now = Date.parse('2013-05-24T00:00:00Z');
const scope = 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request';
const signed: SignedRequest = {
  method: 'GET',
  target: '/test.txt',
  headers: {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': createHash('sha256').digest('hex'),
    'x-amz-date': '20130524T000000Z',
    authorization:
      `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, ` +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  body: new Uint8Array(),
};
const presigned: SignedRequest = {
  method: 'GET',
  target:
    `/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${encodeURIComponent(scope)}&X-Amz-Date=20130524T000000Z` +
    '&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
    '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  headers: { host: 'examplebucket.s3.amazonaws.com' },
  body: new Uint8Array(),
};

describe.each([
  ['headers', signed],
  ['a query', presigned],
])('a signature in %s', (_, request) => {
  test('of the reference is valid', () => {
    expect(checkSignature(request, keys, now)).toBeUndefined();
  });

  test.each<[string, Partial<SignedRequest>]>([
    ['method', { method: 'HEAD' }],
    ['path', { target: request.target.replace('test', 'text') }],
    ['query', { target: `${request.target}${request.target.includes('?') ? '&' : '?'}a=b` }],
    ['host', { headers: { ...request.headers, host: 'other.s3.amazonaws.com' } }],
  ])('is invalid for another %s', (__, change) => {
    expect(checkSignature({ ...request, ...change }, keys, now)).toBe('SignatureDoesNotMatch');
  });

  test('is rejected with unsigned S3 headers, other keys, or at another time', () => {
    const headers = { ...request.headers, 'x-amz-acl': 'public-read' };
    expect(checkSignature({ ...request, headers }, keys, now)).toBe('AccessDenied');
    expect(checkSignature(request, { ...keys, secretAccessKey: 'x' }, now)).toBe('SignatureDoesNotMatch');
    expect(checkSignature(request, { ...keys, accessKeyId: 'x' }, now)).toBe('AccessDenied');
    expect(checkSignature(request, { ...keys, sessionToken: 'x' }, now)).toBe('InvalidToken');
    for (const day of [-1, 1.01]) {
      expect(checkSignature(request, keys, now + day * 86_400_000)).toBe('RequestTimeTooSkewed');
    }
  });
});

test('rejects an unsigned request and another body', () => {
  expect(checkSignature({ ...signed, headers: { host: 'h' } }, keys, now)).toBe('AccessDenied');
  expect(checkSignature({ ...signed, body: Uint8Array.of(1) }, keys, now)).toBe('XAmzContentSHA256Mismatch');
});
