import { mutations, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBcfRewriter, type KeySelection } from '../../src/index.js';
import { int32, join } from '../bam/build-bam.js';
import { passPieces, piecesOutcome } from '../record-pieces.js';
import { isKept } from '../vcf/rewrite-line.js';
import { type BcfParts, buildBcfRecord } from './build-bcf.js';
import { buildInteger, buildValues } from './build-typed.js';

/** ID, REF, ALT, and the filter PASS. REF has three bases. */
const VALUES = join([buildValues(7, 1), buildValues(7, 3), buildValues(7, 1), buildInteger(0)]);
const STRINGS = new Map([
  [0, 'PASS'],
  [1, 'DP'],
  [2, 'END'],
  [3, 'GT'],
  [9, 'AD'],
  [300, 'FAR'],
  [70_000, 'FURTHER'],
]);

interface Entry {
  readonly key: number;
  readonly bytes: Uint8Array;
}

function entry(key: number, value: Uint8Array): Entry {
  return { key, bytes: join([buildInteger(key, key < 128 ? 1 : key < 32_768 ? 2 : 3), value]) };
}

interface Parts extends Omit<BcfParts, 'infos' | 'formats'> {
  readonly infos?: readonly Entry[];
  readonly formats?: readonly Entry[];
}

/** Builds a record of the entries that a selection keeps. */
function build({ infos = [], formats = [], ...parts }: Parts = {}, selection: KeySelection = {}): Uint8Array {
  const kept = (entries: readonly Entry[]): Uint8Array[] =>
    entries.filter(({ key }) => isKept(STRINGS.get(key) ?? '', selection)).map(({ bytes }) => bytes);
  return buildBcfRecord({ alleleCount: 2, values: VALUES, ...parts, infos: kept(infos), formats: kept(formats) });
}

function rewrite(data: Uint8Array, selection: KeySelection, pieceLengths?: readonly number[]): Uint8Array {
  return passPieces(createBcfRewriter(selection, STRINGS), data, pieceLengths);
}

function error(code: string, offset: number): Error {
  return expect.objectContaining({ name: 'FormatError', code, offset }) as Error;
}

describe('createBcfRewriter', () => {
  test.each([1, 2, 3, 5, 7].flatMap((type) => [0, 1, 2, 14, 15, 127, 128, 40_000].map((count) => ({ type, count }))))(
    'drops entries of $count elements of type $type',
    ({ type, count }) => {
      const infos = [3, 1, 9].map((key) => entry(key, buildValues(type, count)));
      const formats = [3, 1, 9].map((key) => entry(key, buildValues(type, count, { rows: 3 })));
      const parts = { infos, formats, sampleCount: 3 };
      for (const selection of [{ notags: ['DP'] }, { tags: ['DP'] }, { tags: [] }, {}]) {
        expect(Buffer.compare(rewrite(build(parts), selection), build(parts, selection))).toBe(0);
      }
    },
  );

  test('drops flags and values with a needlessly long count', () => {
    const values = [1, 2, 3].flatMap((longCountType) =>
      [0, 1, 20].map((count) => buildValues(2, count, { longCountType })),
    );
    const infos = [Uint8Array.of(0x00), Uint8Array.of(0x11, 1), ...values].map((value) => entry(1, value));
    const parts = { infos: infos.flatMap((info) => [info, entry(9, buildValues(7, 3))]) };
    for (const notags of [['DP'], ['AD']]) expect(rewrite(build(parts), { notags })).toEqual(build(parts, { notags }));
  });

  test('reads keys of any width', () => {
    const infos = [1, 2, 3].map((width) => ({ key: 1, bytes: join([buildInteger(1, width), buildValues(1, 1)]) }));
    const far = [300, 70_000].map((key) => entry(key, buildValues(1, 1)));
    const parts = { infos: [...infos, ...far], formats: [...infos, ...far], sampleCount: 1 };
    for (const name of ['DP', 'FAR', 'FURTHER']) {
      expect(rewrite(build(parts), { notags: [name] })).toEqual(build(parts, { notags: [name] }));
      expect(rewrite(build(parts), { tags: [name] })).toEqual(build(parts, { tags: [name] }));
    }
  });

  test('sets rlen to the length of REF in a record that loses END', () => {
    const infos = [entry(1, buildValues(1, 1)), entry(2, buildInteger(107, 1))];
    const record = build({ infos, rlen: 100 });
    expect(rewrite(record, { notags: ['END'] })).toEqual(build({ infos, rlen: 3 }, { notags: ['END'] }));
    expect(rewrite(record, { notags: ['DP'] })).toEqual(build({ infos, rlen: 100 }, { notags: ['DP'] }));
    const format = { formats: [entry(2, buildValues(1, 1))], sampleCount: 1, rlen: 100 };
    expect(rewrite(build(format), { notags: ['END'] })).toEqual(build(format, { notags: ['END'] }));
    const none = { values: join([buildValues(7, 1), buildInteger(0)]), alleleCount: 0, infos, rlen: 100 };
    expect(rewrite(build(none), { tags: [] })).toEqual(build({ ...none, rlen: 0 }, { tags: [] }));
  });

  test('keeps samples that have no values', () => {
    const parts = { formats: [entry(3, buildValues(1, 2, { rows: 70_000 }))], sampleCount: 70_000 };
    expect(rewrite(build(parts), { tags: [] })).toEqual(build(parts, { tags: [] }));
    const none = { formats: [entry(3, buildValues(1, 2, { rows: 0 }))] };
    expect(rewrite(build(none), { tags: [] })).toEqual(build(none, { tags: [] }));
  });

  test('agrees with records that are built without the dropped keys, in any pieces', () => {
    const value = { type: fc.constantFrom(1, 2, 3, 5, 7), count: fc.nat(20) };
    const key = fc.constantFrom(...STRINGS.keys());
    const record = fc
      .record({
        rlen: fc.nat(1000),
        sampleCount: fc.nat(4),
        infos: fc.array(fc.record({ key, ...value }), { maxLength: 5 }),
        formats: fc.array(fc.record({ key, ...value }), { maxLength: 5 }),
      })
      .map(({ rlen, sampleCount, infos, formats }) => ({
        rlen,
        sampleCount,
        infos: infos.map(({ key, type, count }) => entry(key, buildValues(type, count))),
        formats: formats.map(({ key, type, count }) => entry(key, buildValues(type, count, { rows: sampleCount }))),
      }));
    const names = fc.option(fc.array(fc.constantFrom(...STRINGS.values()), { maxLength: 4 }), { nil: undefined });
    const selection = fc.record({ tags: names, notags: names });
    const lengths = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(record, { maxLength: 6 }), selection, lengths, (records, kept, pieceLengths) => {
        const expected = records.map((parts) => {
          const losesEnd = parts.infos.some(({ key }) => key === 2) && !isKept('END', kept);
          return build({ ...parts, rlen: losesEnd ? 3 : parts.rlen }, kept);
        });
        const data = join(records.map((parts) => build(parts)));
        expect(Buffer.compare(rewrite(data, kept, pieceLengths), join(expected))).toBe(0);
      }),
      { seed: 6, numRuns: volume(1000) },
    );
  });

  describe('reports the offset of a malformed record from the start of the first piece', () => {
    const infosStart = 32 + VALUES.length;
    const withInfo = (...bytes: number[]): Uint8Array => build({ infos: [{ key: 1, bytes: Uint8Array.from(bytes) }] });
    const withInfoCount = (count: number): Uint8Array => {
      const record = build();
      record[24] = count;
      return record;
    };
    test.each<[what: string, record: Uint8Array, offset: number]>([
      ['a key that the header does not declare', withInfo(0x11, 4, 0x11, 7), infosStart],
      ['a missing key', withInfo(0x11, 0x80, 0x11, 7), infosStart],
      ['two keys', withInfo(0x21, 1, 1, 0x11, 7), infosStart],
      ['a float as key', withInfo(0x15, 0, 0, 0, 0, 0x11, 7), infosStart],
      ['no key', withInfo(0x01, 0x11, 7), infosStart],
      ['no value', withInfo(0x11, 1), infosStart + 2],
      ['type 4', withInfo(0x11, 1, 0x14, 7, 7, 7, 7), infosStart + 2],
      ['type 8', withInfo(0x11, 1, 0x18, 7), infosStart + 2],
      ['a value that extends past the record', withInfo(0x11, 1, 0x21, 7), infosStart + 2],
      ['a negative count', withInfo(0x11, 1, 0xf1, 0x11, 0xff), infosStart + 2],
      ['a count of 2^31 - 1', withInfo(0x11, 1, 0xf3, 0x13, 0xff, 0xff, 0xff, 0x7f), infosStart + 2],
      ['two counts', withInfo(0x11, 1, 0xf1, 0x21, 1, 1), infosStart + 3],
      ['no count', withInfo(0x11, 1, 0xf1), infosStart + 3],
      ['a byte after the last value', withInfo(0x11, 1, 0x11, 7, 0), infosStart + 4],
      ['fewer keys than n_info', withInfoCount(1), infosStart],
      ['half of REF', build({ values: VALUES.subarray(0, 4) }), 34],
      [
        'a value of one of two samples',
        build({ formats: [entry(1, buildInteger(7))], sampleCount: 2 }),
        infosStart + 2,
      ],
      [
        'two values of one sample',
        build({ formats: [entry(1, buildValues(1, 2, { rows: 2 }))], sampleCount: 1 }),
        infosStart + 5,
      ],
      ['a byte after the last sample', build({ individual: Uint8Array.of(0x11) }), infosStart],
    ])('%s', (_, record, offset) => {
      const good = build({ infos: [entry(1, buildInteger(7))] });
      for (const length of [1, 7, good.length, 1000]) {
        const expected = error('INVALID_DATA', good.length + offset);
        expect(() => rewrite(join([good, record, good]), {}, [length])).toThrow(expected);
      }
    });
  });

  test('reports the offset of a record that is too short, too long or incomplete', () => {
    const good = build();
    expect(() => rewrite(join([good, int32(23, 0)]), {})).toThrow(error('INVALID_DATA', good.length));
    expect(() => rewrite(join([good, int32(24, -1)]), {})).toThrow(error('LIMIT_EXCEEDED', good.length));
    for (let length = 1; length < good.length; length++) {
      const data = join([good, good.subarray(0, length)]);
      expect(() => rewrite(data, { tags: [] }, [length])).toThrow(error('TRUNCATED', good.length));
    }
    expect(rewrite(new Uint8Array(0), { tags: [] })).toHaveLength(0);
  });

  test('treats damaged records alike however the data is cut into pieces', () => {
    const record = build({
      infos: [1, 2, 9].map((key) => entry(key, buildValues(1, 1))),
      formats: [3, 1].map((key) => entry(key, buildValues(2, 2, { rows: 3 }))),
      sampleCount: 3,
    });
    const some = join([record, record, record]);
    const selection = { notags: ['DP', 'END'] };
    const outcomes = [...mutations(some, { seed: 7, count: volume(4000) })].map(({ bytes, description }) => {
      const whole = piecesOutcome(createBcfRewriter(selection, STRINGS), bytes);
      const inPieces = piecesOutcome(createBcfRewriter(selection, STRINGS), bytes, [37, 1, 200]);
      return { description, size: bytes.length, whole, inPieces };
    });
    expect(outcomes.filter(({ whole, inPieces }) => whole !== inPieces)).toEqual([]);
    expect(outcomes.filter(({ whole, size }) => !whole.includes(' ') && whole.length > 2 * size)).toEqual([]);
    expect(outcomes.filter(({ whole }) => whole.includes(' ')).length).toBeGreaterThan(volume(1000));
    expect(outcomes.filter(({ whole }) => !whole.includes(' ')).length).toBeGreaterThan(volume(500));
  });
});
