import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { AUTHORITIES, DEFAULT_AUTHORITY, negotiateAuthority } from '../src/authority.js';

test('the default is the authority that clients expect', () => {
  expect(DEFAULT_AUTHORITY).toBe('ga4gh');
  expect(AUTHORITIES).toEqual(['ga4gh', 'std']);
});

test('no other module contains the name of an authority', () => {
  const sources = new URL('../src/', import.meta.url);
  const names = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const spelling = names.filter((name) => /\b(ga4gh|std)\b/.test(readFileSync(new URL(name, sources), 'utf8')));
  expect(spelling).toEqual(['authority.ts']);
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
