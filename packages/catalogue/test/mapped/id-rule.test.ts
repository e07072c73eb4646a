import { excessGrowth } from '@htskit/testing';
import { expect, test } from 'vitest';
import { IdRule } from '../../src/mapped/id-rule.js';

const MATCH = '^(?<study>[^/]+)/(?<sample>.+)$';

function locate(id: string, template: string, match = MATCH): string | undefined {
  const rule = new IdRule({ match, template });
  const rest = rule.render(id);
  return rest === undefined ? undefined : rule.root + rest;
}

test.each([
  ['EGA1/NA1', `s3://bucket/\${study}/bam/\${sample}.bam`, 's3://bucket/EGA1/bam/NA1.bam'],
  ['EGA1/a/b', `s3://bucket/x/\${sample}.bam`, 's3://bucket/x/a/b.bam'],
  ['EGA1/a b#?', `https://host/\${study}/\${sample}.bam`, 'https://host/EGA1/a%20b%23%3F.bam'],
  ['EGA1/a', `data/\${id}.bam`, 'data/EGA1/a.bam'],
  ['EGA1/a', `\${sample}.bam`, 'a.bam'],
  ['EGA1/a', `drs://host:8080/\${sample}`, 'drs://host:8080/a'],
])('locates %s by %s', (id, template, location) => {
  expect(locate(id, template)).toBe(location);
});

test('accepts the syntax of named groups of Go and of JavaScript', () => {
  expect(locate('a', `x/\${n}`, '(?P<n>.)')).toBe('x/a');
});

test.each(['NA1', 'a/', '/a'])('does not apply to %s, since the expression must match the whole id', (id) => {
  expect(locate(id, `x/\${sample}.bam`)).toBeUndefined();
});

test.each([
  ['a/..', `x/\${sample}/y.bam`],
  ['a/../../etc/passwd', `x/\${sample}`],
  ['./a', `x/\${study}\${sample}`],
  ['a/b//c', `x/\${sample}`],
  ['a/b\0c', `x/\${sample}`],
  ['a/b/', `x/\${sample}`],
  ['a/.', `x/.\${sample}/y`],
])('refuses %j by %s, which would lead elsewhere', (id, template) => {
  expect(locate(id, template)).toBeUndefined();
});

test('the scheme is that of the template, or none', () => {
  expect(locate('https/x', `\${study}://host/x.bam`)).toBeUndefined();
});

test('a group that takes no part has no value', () => {
  expect(locate('b', `x/\${a}\${b}`, '(?:(?<a>a)|(?<b>b))')).toBeUndefined();
});

test.each([
  ['(', 'x/y', 'not a regular expression'],
  ['(?=a)', 'x/y', 'not a regular expression'],
  ['(a)\\1', 'x/y', 'not a regular expression'],
  ['a'.repeat(1001), 'x/y', 'at most 1000 characters'],
  [MATCH, `x/\${other}`, 'no group "other"'],
  [MATCH, `x/\${constructor}`, 'no group "constructor"'],
  [MATCH, `https://\${study}/x.bam`, 'in its path only'],
  [MATCH, `https://host\${study}/x.bam`, 'in its path only'],
  [MATCH, `s3://\${study}/x.bam`, 'in its path only'],
  [MATCH, `https://host/x?\${study}`, 'without a query'],
])('refuses the expression %.20s with %s', (match, template, message) => {
  expect(() => new IdRule({ match, template })).toThrow(message);
});

test('the time of a match grows linearly with the id', () => {
  const rule = new IdRule({ match: '(?:(?:a+)+)+(?<x>b)', template: `x/\${x}` });
  expect(
    excessGrowth(
      (size) => 'a'.repeat(size),
      (id) => rule.render(id),
      { size: 500 },
    ),
  ).toBeLessThan(8);
});
