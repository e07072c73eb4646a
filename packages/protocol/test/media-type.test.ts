import { describe, expect, test } from 'vitest';
import { htsgetMediaType, negotiateRefgetFormat, refgetJsonMediaType, refgetTextMediaType } from '../src/media-type.js';

test.each([
  [htsgetMediaType('ga4gh'), 'application/vnd.ga4gh.htsget.v1.0.0+json; charset=utf-8'],
  [htsgetMediaType('std'), 'application/vnd.std.htsget.v1.0.0+json; charset=utf-8'],
  [refgetTextMediaType('ga4gh'), 'text/vnd.ga4gh.refget.v2.0.0+plain; charset=us-ascii'],
  [refgetTextMediaType('std'), 'text/vnd.std.refget.v2.0.0+plain; charset=us-ascii'],
  [refgetJsonMediaType('ga4gh'), 'application/vnd.ga4gh.refget.v2.0.0+json; charset=us-ascii'],
  [refgetJsonMediaType('std'), 'application/vnd.std.refget.v2.0.0+json; charset=us-ascii'],
])('%s equals %s', (actual, expected) => {
  expect(actual).toBe(expected);
});

describe('negotiateRefgetFormat', () => {
  test.each([
    [null, 'plain'],
    ['*/*', 'plain'],
    ['text/*', 'plain'],
    ['text/plain', 'plain'],
    ['text/plain; charset=us-ascii', 'plain'],
    ['text/vnd.ga4gh.refget.v2.0.0+plain; charset=us-ascii', 'plain'],
    ['text/vnd.std.refget.v2.0.0+plain', 'plain'],
    ['text/vnd.ga4gh.refget.v1.0.0+plain', 'plain'],
    ['text/vnd.ga4gh.refget.v1.0.1+plain', 'plain'],
    ['application/json', 'json'],
    ['application/vnd.ga4gh.refget.v2.0.0+json', 'json'],
    ['application/vnd.std.refget.v1.0.0+json; charset=us-ascii', 'json'],
    ['text/x-fasta', 'fasta'],
    ['text/vnd.ga4gh.refget.v2.0.0+fasta', 'fasta'],
    ['text/vnd.ga4gh.refget.v2.0.0+plain;q=0.1, application/json;q=0.2', 'json'],
    // quality 0 of one media type excludes the format
    ['text/vnd.ga4gh.refget.v2.0.0+plain;q=0, */*', 'json'],
    ['text/plain;q=0, */*;q=0.5', 'json'],
  ])('%j chooses %s', (accept, format) => {
    expect(negotiateRefgetFormat(accept, ['plain', 'json', 'fasta'])).toBe(format);
  });

  test.each([
    'text/html',
    'application/json',
    'text/vnd.ga4gh.refget.v3.0.0+plain',
    'text/vnd.other.refget.v2.0.0+plain',
    'application/vnd.ga4gh.refget.v2.0.0+plain',
    'text/embl;charset=us-ascii',
  ])('%j does not accept plain text', (accept) => {
    expect(negotiateRefgetFormat(accept, ['plain'])).toBeUndefined();
  });
});
