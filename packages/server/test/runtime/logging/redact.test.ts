import { excessGrowth } from '@htskit/testing';
import { expect, test } from 'vitest';
import { redact } from '../../../src/runtime/logging/redact.js';

/** Prefixes of secrets, whose repetition makes a pattern start over at each of them. */
const HOSTILE = ['?', '/', 'eyJ-', 'a://', 'bearer ', '?a=', 'x-amz-'];

const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl';

test.each([
  ['Authorization: Bearer s3cret-t0ken', 'Authorization: [redacted]'],
  ['{"authorization":"Basic s3cret"}', '{"authorization":[redacted]'],
  ['the token Bearer s3cret was refused', 'the token Bearer [redacted] was refused'],
  ['Cookie: session=s3cret; other=s3cret', 'Cookie: [redacted]'],
  [`the token ${JWT} has expired`, 'the token [redacted] has expired'],
  ['GET /blocks/s3cret.s3cret failed', 'GET /blocks/[redacted] failed'],
  [
    'fetch https://bucket.example/a.bam?X-Amz-Signature=s3cret&x=1 failed',
    'fetch https://bucket.example/a.bam?[redacted] failed',
  ],
  ['fetch https://host.example/a.bam?s3cret failed', 'fetch https://host.example/a.bam?[redacted] failed'],
  ['fetch https://host.example/a?%73ecret&s3cret', 'fetch https://host.example/a?[redacted]'],
  ['reads/a?s3cret', 'reads/a?[redacted]'],
  ['reads/a?$token=s3cret', 'reads/a?[redacted]'],
  ['https://user:s3cret@host.example/a', 'https://[redacted]@host.example/a'],
  ['with access_token=s3cret, and on', 'with access_token=[redacted] and on'],
])('%s', (message, expected) => {
  expect(redact(message)).toBe(expected);
});

test('keeps a message without secrets', () => {
  for (const message of ['reads/a: is it "b"?', 'a basic error in /data/a?.bam', 'https://host.example/a.bam']) {
    expect(redact(message)).toBe(message.replace('basic error', 'basic [redacted]'));
  }
});

test('cuts a long message', () => {
  for (const unit of HOSTILE) expect(redact(unit.repeat(1_000_000)).length).toBeLessThan(100_000);
});

test.each(HOSTILE)('takes bounded time for a long repetition of %j', (unit) => {
  const repeat = (length: number): string => unit.repeat(length / unit.length);
  expect(excessGrowth(repeat, redact, { size: 10_000 })).toBeLessThan(3);
});
