import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fixtureChecksums, fixtureNames, fixturePath, readFixture } from '../src/index.js';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test.each([...fixtureChecksums()])('%s has the SHA-256 that SHA256SUMS lists', (name, expected) => {
  expect(sha256(readFixture(name))).toBe(expected);
});

test('SHA256SUMS lists every data file and every expectation', () => {
  const isOwn = (name: string): boolean => /^\.|^(README\.md|SHA256SUMS|generate\.mjs|generator|expected)$/.test(name);
  const data = readdirSync(fixturePath('')).filter((name) => !isOwn(name));
  const expected = readdirSync(fixturePath('expected')).map((name) => `expected/${name}`);
  expect([...fixtureChecksums().keys()].sort()).toEqual([...data, ...expected].sort());
});

test('names are found by their end', () => {
  expect(fixtureNames('.bcf')).toEqual(['empty.bcf', 'variants.bcf']);
  expect(fixtureNames('.nothing')).toEqual([]);
});

test('every data file with records or sequences has expectations', () => {
  const data = ['.bam', '.cram', '.vcf.gz', '.bcf', '.fa', '.fa.gz'].flatMap((suffix) => fixtureNames(suffix));
  expect(data).toHaveLength(23);
  for (const name of data) expect(fixtureChecksums().has(`expected/${name}.json`)).toBe(true);
});

test('the fixtures take less than 4 MB', () => {
  const total = [...fixtureChecksums().keys()].reduce((sum, name) => sum + readFixture(name).length, 0);
  expect(total).toBeLessThan(4_000_000);
});
