import { expect, test } from 'vitest';
import { createBinningScheme, UCSC_SCHEME } from '../../src/binning/binning-scheme.js';
import { reg2bin } from '../support/write-index.js';

test('the scheme of BAI has the bins of SAMv1 §5.1.1', () => {
  expect(UCSC_SCHEME).toEqual({
    minShift: 14,
    levels: [
      { first: 0, end: 1, span: 2 ** 29 },
      { first: 1, end: 9, span: 2 ** 26 },
      { first: 9, end: 73, span: 2 ** 23 },
      { first: 73, end: 585, span: 2 ** 20 },
      { first: 585, end: 4681, span: 2 ** 17 },
      { first: 4681, end: 37449, span: 2 ** 14 },
    ],
    span: 2 ** 29,
    binLimit: 37449,
    pseudoBin: 37450,
  });
});

test('every bin spans the regions that reg2bin assigns to it', () => {
  for (const { first, end, span } of UCSC_SCHEME.levels) {
    for (const number of [first, end - 1]) {
      const base = (number - first) * span;
      expect(reg2bin(base, base + span)).toBe(number);
    }
  }
});

test('a deeper scheme covers longer references', () => {
  const { levels, span, binLimit, pseudoBin } = createBinningScheme({ minShift: 14, depth: 6 });
  expect(span).toBe(2 ** 32);
  expect(levels.at(-1)).toEqual({ first: 37449, end: 299593, span: 2 ** 14 });
  expect([binLimit, pseudoBin]).toEqual([299593, 299594]);
});
