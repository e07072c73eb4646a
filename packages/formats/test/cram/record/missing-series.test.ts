import { describe, expect, test } from 'vitest';
import { type Bytes, block, constant, encoding, failure, type SliceParts, spansOf } from '../build-cram.js';
import { rejection, samLinesOf } from './decode-slices.js';

type Series = Readonly<Record<string, Bytes>>;

const array = encoding(4, ...constant(1), ...constant(0x41));

/** The series of an unmapped record without bases, which needs no others. */
const ALWAYS: Series = {
  BF: constant(4),
  CF: constant(0),
  RL: constant(0),
  AP: constant(5),
  RG: constant(-1),
  TL: constant(0),
};
const MAPPED: Series = { ...ALWAYS, BF: constant(0), RL: constant(10), FN: constant(0), MQ: constant(60) };

/** Returns the series of a mapped record with one feature. */
function featured(code: string, series: Series): Series {
  return { ...MAPPED, FN: constant(1), FC: constant(code.charCodeAt(0)), FP: constant(1), ...series };
}

const DETACHED: Series = {
  ...ALWAYS,
  CF: constant(2),
  MF: constant(0),
  RN: array,
  NS: constant(0),
  NP: constant(1),
  TS: constant(0),
};

/** The series of records that need them, and the names of those that other records do not need. */
const RECORDS: readonly (readonly [name: string, series: Series, needed: readonly string[]])[] = [
  ['a record', ALWAYS, ['BF', 'CF', 'RL', 'AP', 'RG', 'TL']],
  ['a mapped record', MAPPED, ['FN', 'MQ']],
  ['a detached record', DETACHED, ['MF', 'RN', 'NS', 'NP', 'TS']],
  ['an unmapped record with bases', { ...ALWAYS, RL: constant(10), BA: constant(0x41) }, ['BA']],
  ['a record with qualities', { ...MAPPED, CF: constant(1), QS: constant(30) }, ['QS']],
  ['a substitution', featured('X', { BS: constant(0) }), ['FC', 'FP', 'BS']],
  ['a base and its quality', featured('B', { BA: constant(0x41), QS: constant(30) }), ['BA', 'QS']],
  ['an inserted base', featured('i', { BA: constant(0x41) }), ['BA']],
  ['a quality', featured('Q', { QS: constant(30) }), ['QS']],
  ['bases', featured('b', { BB: array }), ['BB']],
  ['qualities', featured('q', { QQ: array }), ['QQ']],
  ['an insertion', featured('I', { IN: array }), ['IN']],
  ['a soft clip', featured('S', { SC: array }), ['SC']],
  ['a deletion', featured('D', { DL: constant(2) }), ['DL']],
  ['a skip', featured('N', { RS: constant(2) }), ['RS']],
  ['a padding', featured('P', { PD: constant(2) }), ['PD']],
  ['a hard clip', featured('H', { HC: constant(2) }), ['HC']],
];

const CASES = RECORDS.flatMap(([name, series, needed]) => needed.map((each) => [each, name, series] as const));

const SLICE: SliceParts = { referenceId: 0, start: 1, span: 40, recordCount: 1, blocks: [block('core', 0, [])] };

/** Series that spans do not depend on. */
const NOT_POSITIONS = new Set([
  'CF',
  'RG',
  'TL',
  'MQ',
  'MF',
  'RN',
  'NS',
  'NP',
  'TS',
  'BA',
  'QS',
  'BS',
  'QQ',
  'PD',
  'HC',
]);

/** Intervals that skip the record, and that keep it. */
const INTERVALS = [undefined, [{ referenceId: 0, start: 0, end: 1 }], [{ referenceId: 0, start: 0, end: 9 }]];

function without(series: Series, name: string): Series {
  return Object.fromEntries(Object.entries(series).filter(([each]) => each !== name));
}

describe('a data series without an encoding', () => {
  test.each(CASES)('%s is an error for %s only', async (name, _, series) => {
    const lacking = without(series, name);
    for (const intervals of INTERVALS) {
      const options = { generateMismatchTags: false, ...(intervals && { intervals }) };
      await expect(samLinesOf({ series }, [SLICE], options)).resolves.toBeDefined();
      const error = await rejection(samLinesOf({ series: lacking }, [SLICE], options));
      expect(error).toMatchObject({ code: 'INVALID_DATA', offset: expect.any(Number) as number });
      expect(String(error)).toContain(`lacks the data series ${name}`);
    }
  });

  test.each(CASES)('%s of %s is needed by its span only if it moves the record', (name, _, series) => {
    // The reference of each record is unknown, so that the records are decoded to find their spans.
    const slice = { ...SLICE, referenceId: -2 };
    const multiple = { ...series, RI: constant(0) };
    expect(spansOf({ series: multiple }, slice)).toHaveLength(1);
    const attempt = (): unknown => spansOf({ series: without(multiple, name) }, slice);
    const expected = NOT_POSITIONS.has(name) ? 'undefined' : `lacks the data series ${name}`;
    expect(String(failure(attempt))).toContain(expected);
  });

  test('may be missing from a container whose slices have no records', async () => {
    const slice = { ...SLICE, recordCount: 0 };
    expect(await samLinesOf({ series: {} }, [slice])).toEqual([]);
    expect(await samLinesOf({ series: {} }, [{ ...slice, referenceId: -2 }])).toEqual([]);
  });

  test('RI is an error for a slice of several references only', async () => {
    expect(await samLinesOf({ series: MAPPED }, [SLICE])).toHaveLength(1);
    const error = await rejection(samLinesOf({ series: MAPPED }, [{ ...SLICE, referenceId: -2 }]));
    expect(String(error)).toContain('lacks the data series RI');
  });

  test('NF is an error for a record with a mate downstream', async () => {
    const error = await rejection(samLinesOf({ series: { ...MAPPED, CF: constant(4) } }, [SLICE]));
    expect(String(error)).toContain('lacks the data series NF');
  });

  test.each([
    ['NULL', encoding(0)],
    ['one that cannot store its values', array],
  ])('is the same as %s', async (_, unsuitable) => {
    for (const intervals of INTERVALS) {
      const options = { ...(intervals && { intervals }) };
      const withNoBases = { ...MAPPED, BA: unsuitable, QS: unsuitable, BF: constant(4), RL: constant(0) };
      await expect(samLinesOf({ series: withNoBases }, [SLICE], options)).resolves.toBeDefined();
      const withBases = { ...withNoBases, RL: constant(10) };
      expect(await rejection(samLinesOf({ series: withBases }, [SLICE], options))).toMatchObject({
        code: 'INVALID_DATA',
      });
    }
  });

  test('of a tag is an error for a record with the tag only', async () => {
    const compression = { series: MAPPED, tagLines: [[], ['XAC']], tags: { XAC: encoding(0) } };
    expect(await samLinesOf(compression, [SLICE])).toHaveLength(1);
    const tagged = { ...compression, series: { ...MAPPED, TL: constant(1) } };
    expect(await rejection(samLinesOf(tagged, [SLICE]))).toMatchObject({ code: 'INVALID_DATA' });
  });
});
