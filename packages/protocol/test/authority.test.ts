import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AUTHORITIES, DEFAULT_AUTHORITY } from '../src/authority.js';

test('the default is the authority that clients in the field expect', () => {
  expect(DEFAULT_AUTHORITY).toBe('ga4gh');
  expect(AUTHORITIES).toEqual(['ga4gh', 'std']);
});

test('no other module spells an authority', () => {
  const sources = new URL('../src/', import.meta.url);
  const names = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const spelling = names.filter((name) => /\b(ga4gh|std)\b/.test(readFileSync(new URL(name, sources), 'utf8')));
  expect(spelling).toEqual(['authority.ts']);
});
