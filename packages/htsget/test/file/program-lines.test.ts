import { excessGrowth } from '@htskit/testing';
import { expect, test } from 'vitest';
import { addProgramLines } from '../../src/file/program-lines.js';

const program = { name: 'htskit', version: '1.0' };

test.each([
  ['no program', '@HD\tVN:1.6\n', ['@PG\tID:htskit\tPN:htskit\tVN:1.0']],
  ['no text', '', ['@PG\tID:htskit\tPN:htskit\tVN:1.0']],
  ['a chain', '@PG\tID:a\n@PG\tID:b\tPP:a\n', ['@PG\tID:htskit\tPN:htskit\tPP:b\tVN:1.0']],
  [
    'two chains and the same program',
    '@PG\tID:htskit\tPN:htskit\n@PG\tID:b\tPN:b',
    ['@PG\tID:htskit.1\tPN:htskit\tPP:htskit\tVN:1.0', '@PG\tID:htskit.2\tPN:htskit\tPP:b\tVN:1.0'],
  ],
])('adds a program to a header with %s', (_, text, lines) => {
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  expect(addProgramLines(text, program)).toBe(`${start}${lines.map((line) => `${line}\n`).join('')}`);
});

test('skips the numbers that the header has', () => {
  const text = '@PG\tID:htskit\n@PG\tID:htskit.2\n@PG\tID:b\n';
  const ids = [
    ...addProgramLines(text, program)
      .slice(text.length)
      .matchAll(/ID:(\S+)/g),
  ].map(([, id]) => id);
  expect(ids).toEqual(['htskit.1', 'htskit.3', 'htskit.4']);
});

test('adds thousands of lines in linear time', () => {
  const build = (size: number): string => Array.from({ length: size }, (_, index) => `@PG\tID:${index}\n`).join('');
  expect(excessGrowth(build, (text) => addProgramLines(text, program), { size: 125 })).toBeLessThan(8);
});
