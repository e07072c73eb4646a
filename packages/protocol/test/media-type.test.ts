import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  AUTHORITIES,
  DEFAULT_AUTHORITY,
  htsgetMediaType,
  negotiateAuthority,
  negotiateRefgetFormat,
  refgetJsonMediaType,
  refgetTextMediaType,
} from '../src/media-type.js';

test('the default is the authority that clients expect', () => {
  expect(DEFAULT_AUTHORITY).toBe('ga4gh');
  expect(AUTHORITIES).toEqual(['ga4gh', 'std']);
});

test('no other module contains the name of an authority', () => {
  const sources = new URL('../src/', import.meta.url);
  const names = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const spelling = names.filter((name) => /\b(ga4gh|std)\b/.test(readFileSync(new URL(name, sources), 'utf8')));
  expect(spelling).toEqual(['media-type.ts']);
});

describe('negotiateAuthority', () => {
  test.each([
    ['application/vnd.std.htsget.v1.0.0+json', 'std'],
    ['application/vnd.std.htsget.v1.2.0+json; charset=utf-8', 'std'],
    ['text/vnd.STD.refget.v2.0.0+plain', 'std'],
    ['application/vnd.ga4gh.htsget.v1.0.0+json', 'ga4gh'],
    ['*/*, application/vnd.std.htsget.v1.0.0+json;q=0.1', 'std'],
    ['application/vnd.std.htsget.v1.0.0+json;q=0.5, application/vnd.ga4gh.htsget.v1.0.0+json', 'ga4gh'],
    ['application/vnd.std.htsget.v1.0.0+json, application/vnd.ga4gh.htsget.v1.0.0+json', 'std'],
  ])('%j names %s', (accept, authority) => {
    expect(negotiateAuthority(accept, 'ga4gh')).toBe(authority);
    expect(negotiateAuthority(accept, 'std')).toBe(authority);
  });

  test.each([
    null,
    '',
    '*/*',
    'application/json',
    'application/vnd.other.htsget.v1.0.0+json',
    'application/vnd.standard.v1+json',
    'application/vnd.std.htsget.v1.0.0+json;q=0',
  ])('%j names no authority, so the fallback is used', (accept) => {
    expect(negotiateAuthority(accept, 'ga4gh')).toBe('ga4gh');
    expect(negotiateAuthority(accept, 'std')).toBe('std');
  });
});

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
