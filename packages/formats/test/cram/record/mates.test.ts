import { describe, expect, test } from 'vitest';
import { block, constant, encoding, external, huffman, itf8, simple } from '../build-cram.js';
import { rejection, samLinesOf } from './decode-slices.js';

/** A record of ten bases without a reference. */
interface RecordParts {
  readonly flags?: number;
  readonly cramFlags?: number;
  readonly start: number;
  readonly referenceId?: number;
  /** Records to skip to the mate, for the CRAM flag 4. */
  readonly mateDistance?: number;
  /** The stored mate, for the CRAM flag 2. */
  readonly mate?: { readonly flags: number; readonly referenceId: number; readonly start: number };
  /** For the CRAM flags 2 and 16. */
  readonly templateLength?: number;
  /** For the CRAM flag 2, if names are not stored for all records. */
  readonly name?: string;
}

const SERIES = ['BF', 'CF', 'RI', 'AP', 'NF', 'MF', 'NS', 'NP', 'TS'] as const;

/** Decodes records, and returns columns 1, 2, 4 and 7 to 9 of their SAM lines. */
async function columns(records: readonly RecordParts[], recordCounter = 0): Promise<string[]> {
  const values = (record: RecordParts, series: (typeof SERIES)[number]): number | undefined => {
    const { flags = 0, cramFlags = 0, start, referenceId = 0, mateDistance, mate, templateLength } = record;
    const all = { BF: flags, CF: cramFlags, RI: referenceId, AP: start, NF: mateDistance, TS: templateLength };
    return { ...all, MF: mate?.flags, NS: mate?.referenceId, NP: mate?.start }[series];
  };
  const blocks = SERIES.map((series, index) => {
    const numbers = records.flatMap((record) => {
      const value = values(record, series);
      return value === undefined ? [] : itf8(value);
    });
    return block('external', 10 + index, numbers);
  });
  const names = records.flatMap(({ name }) => (name === undefined ? [] : [...new TextEncoder().encode(name), 0]));
  const series = { ...simple, ...Object.fromEntries(SERIES.map((name, index) => [name, external(10 + index)])) };
  const bases = { BA: constant(0x41), RN: encoding(5, 0, 9) };
  const slice = {
    recordCount: records.length,
    recordCounter,
    blocks: [block('core', 0, []), block('external', 9, names), ...blocks],
  };
  const lines = await samLinesOf({ series: { ...series, ...bases } }, [slice], { namePrefix: 'p' });
  return lines.map((line) => {
    const fields = line.split('\t');
    return [fields[0], fields[1], fields[3], ...fields.slice(6, 9)].join(' ');
  });
}

describe('mates of records', () => {
  test('are computed within a slice', async () => {
    const pair = [
      { flags: 64, cramFlags: 4, start: 5, mateDistance: 0 },
      { flags: 16 | 128, start: 21 },
    ];
    expect(await columns(pair)).toEqual(['p:1 97 5 = 21 26', 'p:1 145 21 = 5 -26']);
  });

  test('are computed for templates of several records', async () => {
    const chain = [
      { cramFlags: 4, start: 11, mateDistance: 1 },
      { start: 3 },
      { cramFlags: 4, start: 21, mateDistance: 0 },
      { start: 31 },
    ];
    expect(await columns(chain)).toEqual([
      'p:1 1 11 = 21 30',
      'p:2 0 3 * 0 0',
      'p:3 1 21 = 31 -30',
      'p:1 1 31 = 11 -30',
    ]);
  });

  test.each<[kind: string, flags: readonly number[], lengths: readonly number[]]>([
    ['the first segment first', [64, 128], [10, -10]],
    ['the last segment first', [128, 64], [-10, 10]],
    ['two segments of unknown order', [0, 0], [10, -10]],
    ['two first segments', [64, 64], [-10, 10]],
    ['three segments', [64, 192, 128], [-10, 10, -10]],
  ])('that start at one position have the signs that htslib leaves out: %s', async (_, flags, lengths) => {
    const records = flags.map((each, index) => {
      const link = index < flags.length - 1 ? { cramFlags: 4, mateDistance: 0 } : {};
      return { flags: each, start: 5, ...link };
    });
    const found = (await columns(records)).map((line) => Number(line.split(' ')[5]));
    expect(found).toEqual(lengths);
  });

  test('have no template length if one is unmapped or on another reference', async () => {
    const unmapped = [
      { flags: 64, cramFlags: 4, start: 5, mateDistance: 0 },
      { flags: 4 | 128, start: 5 },
    ];
    expect(await columns(unmapped)).toEqual(['p:1 73 5 = 5 0', 'p:1 133 5 = 5 0']);
    const elsewhere = [
      { flags: 64, cramFlags: 4, start: 5, mateDistance: 0 },
      { flags: 128, start: 7, referenceId: 1 },
    ];
    expect(await columns(elsewhere)).toEqual(['p:1 65 5 two 7 0', 'p:1 129 7 one 5 0']);
  });

  test('keep a stored template length', async () => {
    const pair = [
      { flags: 64, cramFlags: 20, start: 5, mateDistance: 0, templateLength: 99 },
      { flags: 128, start: 21 },
    ];
    expect(await columns(pair)).toEqual(['p:1 65 5 = 21 99', 'p:1 129 21 = 5 -26']);
  });

  test('are stored with detached records', async () => {
    const mate = { flags: 3, referenceId: 1, start: 7 };
    const detached = { flags: 64, cramFlags: 2, start: 5, mate, templateLength: -12, name: 'one' };
    expect(await columns([detached])).toEqual(['one 105 5 two 7 -12']);
    expect(await columns([{ ...detached, flags: 0, mate: { ...mate, flags: 0 } }])).toEqual(['one 0 5 * 7 -12']);
  });

  test('share the stored name of one of them', async () => {
    const mate = { flags: 0, referenceId: 0, start: 5 };
    const pair = [
      { cramFlags: 4, start: 5, mateDistance: 0 },
      { flags: 1, cramFlags: 2, start: 21, mate, templateLength: 0, name: 'stored' },
    ];
    expect((await columns(pair)).map((line) => line.split(' ')[0])).toEqual(['stored', 'stored']);
  });

  test('have generated names that count all records of the file', async () => {
    const records = [{ start: 1 }, { cramFlags: 4, start: 2, mateDistance: 1 }, { start: 3 }, { start: 4 }];
    const names = (await columns(records, 100)).map((line) => line.split(' ')[0]);
    expect(names).toEqual(['p:101', 'p:102', 'p:103', 'p:102']);
  });

  test.each<[string, readonly RecordParts[]]>([
    ['past the end of the slice', [{ cramFlags: 4, start: 5, mateDistance: 0 }]],
    ['before the record', [{ cramFlags: 4, start: 5, mateDistance: -1 }]],
    [
      'of two records',
      [{ cramFlags: 4, start: 5, mateDistance: 1 }, { cramFlags: 4, start: 5, mateDistance: 0 }, { start: 5 }],
    ],
    [
      'on an unknown reference',
      [{ cramFlags: 2, start: 5, mate: { flags: 0, referenceId: 2, start: 1 }, templateLength: 0, name: 'a' }],
    ],
    [
      'at a negative position',
      [{ cramFlags: 2, start: 5, mate: { flags: 0, referenceId: 0, start: -1 }, templateLength: 0, name: 'a' }],
    ],
  ])('are rejected %s', async (_, records) => {
    expect(await rejection(columns(records))).toMatchObject({ name: 'FormatError', code: 'INVALID_DATA' });
  });
});

describe('a record', () => {
  const parts = (tags: Record<string, number[]>, tagLines: string[][], values: readonly number[]) => ({
    compression: { series: { ...simple, AP: constant(5), TL: constant(tagLines.length - 1) }, tags, tagLines },
    slice: { referenceId: 0, recordCount: 1, blocks: [block('core', 0, [0b01100000]), block('external', 2, values)] },
  });
  const stored = (length: number): number[] => encoding(4, ...constant(length), ...external(2));

  /** Decodes a record with tags, and returns these. */
  async function tagsOf(tags: Record<string, number[]>, tagLine: string[], values: readonly number[]): Promise<string> {
    const { compression, slice } = parts(tags, [[], tagLine], values);
    const [line = ''] = await samLinesOf(compression, [slice]);
    return line.split('\t').slice(11).join(' ');
  }

  test('has its tags in the order of the dictionary', async () => {
    const tags = { XBC: stored(1), XAZ: encoding(5, 9, 2), XCi: stored(4) };
    const values = [...new TextEncoder().encode('text'), 0, 9, 7, 1, 2, 0, 0];
    expect(await tagsOf(tags, ['XAZ', 'XBC', 'XCi'], values)).toBe('XA:Z:text XB:i:7 XC:i:513');
  });

  test('has tags whose bytes are coded one by one', async () => {
    const coded = encoding(4, ...constant(3), ...huffman([0x41, 0], [1, 1]));
    // The codes of NUL and A are 0 and 1; the bits are 0, 1, 1.
    const error = await rejection(tagsOf({ XAZ: coded }, ['XAZ'], []));
    expect(error).toMatchObject({ code: 'INVALID_DATA' });
    const arrays = encoding(4, ...huffman([2, 3], [1, 1]), ...constant(0));
    expect(await rejection(tagsOf({ XAZ: arrays }, ['XAZ'], []))).toMatchObject({ code: 'INVALID_DATA' });
    const single = encoding(4, ...constant(1), ...huffman([0x41, 0x42], [1, 1]));
    expect(await tagsOf({ XAA: single }, ['XAA'], [])).toBe('XA:A:A');
  });

  test('does not have the tag by which htslib marks missing MD and NM', async () => {
    expect(await tagsOf({ cFC: stored(1) }, ['cFC'], [3])).toBe('');
  });

  test('has its read group last', async () => {
    const series = { ...simple, AP: constant(5), RG: external(2) };
    const slice = {
      referenceId: 0,
      recordCount: 3,
      blocks: [block('core', 0, []), block('external', 2, [1, 0, ...itf8(-1)])],
    };
    const lines = await samLinesOf({ series }, [slice]);
    expect(lines.map((line) => line.split('\t').slice(11).join(' '))).toEqual(['RG:Z:b', 'RG:Z:a', '']);
    const unknown = { ...slice, recordCount: 1, blocks: [block('core', 0, []), block('external', 2, [2])] };
    expect(await rejection(samLinesOf({ series }, [unknown]))).toMatchObject({ code: 'INVALID_DATA' });
  });

  test.each<[string, Record<string, number[]>, string, readonly number[]]>([
    ['a number of the wrong size', { XAi: stored(3) }, 'XAi', [1, 2, 3]],
    ['a text without its NUL', { XAZ: stored(3) }, 'XAZ', [65, 65, 65]],
    ['a text with two NULs', { XAZ: stored(3) }, 'XAZ', [65, 0, 0]],
    ['an array of the wrong size', { XAB: stored(6) }, 'XAB', [67, 2, 0, 0, 0, 1]],
    ['an array of an unknown type', { XAB: stored(5) }, 'XAB', [65, 0, 0, 0, 0]],
    ['a value of an unknown type', { XAx: stored(1) }, 'XAx', [1]],
    ['a tag without an encoding', {}, 'XAC', [1]],
  ])('is rejected with %s', async (_, tags, tag, values) => {
    expect(await rejection(tagsOf(tags, [tag], values))).toMatchObject({ name: 'FormatError', code: 'INVALID_DATA' });
  });

  test('is rejected if a series that it needs has no encoding', async () => {
    const { MQ: _, ...series } = { ...simple, AP: constant(5) };
    const slice = { referenceId: 0, recordCount: 1, blocks: [block('core', 0, [])] };
    const error = await rejection(samLinesOf({ series }, [slice]));
    expect(error).toMatchObject({ code: 'INVALID_DATA' });
    expect(String(error)).toContain('lacks the data series MQ');
  });
});
