import { describe, expect, test } from 'vitest';
import { type Bytes, block, constant, encoding, external, huffman, itf8, simple } from '../build-cram.js';
import { rejection, samLinesOf } from './decode-slices.js';

/** A feature: its letter, its place in the read from 1 on, and the bytes of its values. */
type Feature = readonly [code: string, place: number, values?: Partial<Record<Series, Bytes>>];

/** The series of features. Each is in the block of its index here, plus ten. */
const SERIES = ['BA', 'QS', 'BS', 'BB', 'QQ', 'IN', 'SC', 'DL', 'RS', 'PD', 'HC'] as const;
type Series = (typeof SERIES)[number];

const array = (id: number): number[] => encoding(5, 9, ...itf8(id));
const bytesOf = (text: string): number[] => [...new TextEncoder().encode(text)];

interface RecordParts {
  readonly length?: number;
  readonly flags?: number;
  readonly cramFlags?: number;
  readonly needsReference?: boolean;
  readonly qualities?: Bytes;
  readonly matrix?: Bytes;
}

/** Decodes a record at position 5 of `ACGTACGTACGTNCGTACGT…`, and returns its SAM line. */
async function decode(features: readonly Feature[], parts: RecordParts = {}): Promise<string> {
  const { length = 8, flags = 0, cramFlags = 0, needsReference = true, qualities = [], matrix } = parts;
  const blocks = SERIES.map((series, index) => {
    const values = features.flatMap(([, , all = {}]) => {
      const bytes = all[series] ?? [];
      return ['BB', 'QQ', 'IN', 'SC'].includes(series) && bytes.length > 0 ? [...bytes, 9] : bytes;
    });
    return block('external', 10 + index, series === 'QS' ? [...values, ...qualities] : values);
  });
  const places = features.map(([, place], index) => place - (features[index - 1]?.[1] ?? 0));
  blocks.push(block('external', 30, bytesOf(features.map(([code]) => code).join(''))));
  blocks.push(block('external', 31, places.flatMap(itf8)));
  const series = Object.fromEntries(
    SERIES.map((name, index) => [
      name,
      ['BB', 'QQ', 'IN', 'SC'].includes(name) ? array(10 + index) : external(10 + index),
    ]),
  );
  const head = { ...simple, BF: constant(flags), CF: constant(cramFlags), RL: constant(length), AP: constant(5) };
  const compression = {
    series: { ...head, ...series, FN: constant(features.length), FC: external(30), FP: external(31), MQ: constant(60) },
    needsReference,
    ...(matrix === undefined ? {} : { matrix }),
  };
  const slice = { referenceId: 0, start: 1, span: 40, recordCount: 1, blocks: [block('core', 0, []), ...blocks] };
  const [line = ''] = await samLinesOf(compression, [slice]);
  return line;
}

/** Returns CIGAR, bases, qualities and tags of a record. */
async function columns(features: readonly Feature[], parts?: RecordParts): Promise<string> {
  const fields = (await decode(features, parts)).split('\t');
  return [fields[5], ...fields.slice(9)].join(' ');
}

describe('features of a record', () => {
  test.each<[string, readonly Feature[], string]>([
    ['a match', [], '8M ACGTACGT * MD:Z:8 NM:i:0'],
    ['a substitution', [['X', 3, { BS: [0] }]], '8M ACATACGT * MD:Z:2G5 NM:i:1'],
    ['the third substitution of a base', [['X', 1, { BS: [2] }]], '8M TCGTACGT * MD:Z:0A7 NM:i:1'],
    [
      'adjacent substitutions',
      [
        ['X', 1, { BS: [3] }],
        ['X', 2, { BS: [0] }],
      ],
      '8M NAGTACGT * MD:Z:0A0C6 NM:i:2',
    ],
    ['an insertion', [['I', 3, { IN: bytesOf('GGG') }]], '2M3I3M ACGGGGTA * MD:Z:5 NM:i:3'],
    ['an inserted base', [['i', 8, { BA: bytesOf('G') }]], '7M1I ACGTACGG * MD:Z:7 NM:i:1'],
    ['a deletion', [['D', 4, { DL: [2] }]], '3M2D5M ACGCGTNC * MD:Z:3^TA3N1 NM:i:3'],
    [
      'a deletion after a substitution',
      [
        ['X', 3, { BS: [0] }],
        ['D', 4, { DL: [1] }],
      ],
      '3M1D5M ACAACGTN * MD:Z:2G0^T4N0 NM:i:3',
    ],
    ['a skip', [['N', 5, { RS: [8] }]], '4M8N4M ACGTACGT * MD:Z:8 NM:i:0'],
    [
      'a soft clip at each end',
      [
        ['S', 1, { SC: bytesOf('TT') }],
        ['S', 7, { SC: bytesOf('CC') }],
      ],
      '2S4M2S TTACGTCC * MD:Z:4 NM:i:0',
    ],
    [
      'hard clips',
      [
        ['H', 1, { HC: [5] }],
        ['H', 9, { HC: [6] }],
      ],
      '5H8M6H ACGTACGT * MD:Z:8 NM:i:0',
    ],
    ['padding', [['P', 4, { PD: [2] }]], '3M2P5M ACGTACGT * MD:Z:8 NM:i:0'],
    ['a base and a quality', [['B', 2, { BA: bytesOf('T'), QS: [7] }]], '8M ATGTACGT ?(?????? MD:Z:1C6 NM:i:1'],
    ['stored bases', [['b', 2, { BB: bytesOf('CGA') }]], '8M ACGAACGT * MD:Z:1C0G0T4 NM:i:3'],
    ['a quality', [['Q', 8, { QS: [2] }]], '8M ACGTACGT ???????# MD:Z:8 NM:i:0'],
    ['stored qualities', [['q', 2, { QQ: [1, 2, 3] }]], '8M ACGTACGT ?"#$???? MD:Z:8 NM:i:0'],
  ])('decodes %s', async (_, features, expected) => {
    expect(await columns(features)).toBe(expected);
  });

  test('decodes qualities of all bases', async () => {
    const qualities = [1, 2, 3, 4, 5, 6, 7, 8];
    expect(await columns([], { cramFlags: 1, qualities })).toBe(`8M ACGTACGT "#$%&'() MD:Z:8 NM:i:0`);
    const feature: Feature = ['Q', 3, { QS: [40] }];
    expect(await columns([feature], { cramFlags: 1, qualities })).toBe(`8M ACGTACGT "#$%&'() MD:Z:8 NM:i:0`);
  });

  test('uses the substitution matrix of the container', async () => {
    // The codes of C, G, T and N for a reference base A are 3, 2, 1 and 0.
    const matrix = [0b11_10_01_00, 0x1b, 0x1b, 0x1b, 0x1b];
    expect(await columns([['X', 1, { BS: [2] }]], { matrix })).toBe('8M GCGTACGT * MD:Z:0A7 NM:i:1');
  });

  test('decodes records without a reference', async () => {
    const parts = { needsReference: false };
    expect(await columns([['b', 1, { BB: bytesOf('ACGTTTTT') }]], parts)).toBe('8M ACGTTTTT *');
    expect(
      await columns(
        [
          ['b', 1, { BB: bytesOf('AC') }],
          ['D', 3, { DL: [3] }],
        ],
        parts,
      ),
    ).toBe('2M3D6M AC====== *');
  });

  test('decodes a CIGAR without bases', async () => {
    const features: Feature[] = [
      ['S', 1, { SC: bytesOf('TT') }],
      ['D', 5, { DL: [2] }],
      ['I', 9, { IN: bytesOf('A') }],
    ];
    expect(await columns(features, { length: 0 })).toBe('2S2M2D4M1I * * MD:Z:2^GT4 NM:i:3');
    expect(await columns([['D', 5, { DL: [2] }]], { cramFlags: 8 })).toBe('4M2D4M * *');
  });

  test('keeps a CIGAR of more than 65,535 operations', async () => {
    const count = 66_000;
    // Padding, and an inserted base at the same place, in turn.
    const series = {
      ...simple,
      AP: constant(5),
      RL: constant(count / 2),
      FN: constant(count),
      FC: huffman([0x50, 0x69], [1, 1]),
      FP: external(1),
      BA: constant(65),
      PD: constant(1),
    };
    const codes = block('core', 0, new Array<number>(count / 8).fill(0b01010101));
    const places = Array.from({ length: count }, (_, index) => (index % 2 === 0 ? 1 : 0));
    const slice = { referenceId: 0, start: 1, span: 40, recordCount: 1, blocks: [codes, block('external', 1, places)] };
    const [line = ''] = await samLinesOf({ series }, [slice]);
    expect(line.split('\t')[5]).toBe('1P1I'.repeat(count / 2));
  });

  test.each<[string, readonly Feature[], RecordParts]>([
    ['before its start', [['X', 0, { BS: [0] }]], {}],
    ['past its end', [['X', 9, { BS: [0] }]], {}],
    ['more than one place past its end', [['D', 10, { DL: [1] }]], {}],
    ['with more bases than the record', [['I', 7, { IN: bytesOf('AAA') }]], {}],
    ['with more qualities than the record', [['q', 8, { QQ: [1, 1] }]], {}],
    [
      'that covers a base twice',
      [
        ['S', 1, { SC: bytesOf('AAAAAAAA') }],
        ['S', 1, { SC: bytesOf('A') }],
      ],
      {},
    ],
    ['with a negative length', [['D', 3, { DL: itf8(-1) }]], {}],
    ['with an unknown substitution', [['X', 3, { BS: [4] }]], {}],
    ['of an unknown kind', [['Z', 3]], {}],
  ])('rejects a feature %s', async (_, features, parts) => {
    const error = await rejection(decode(features, parts));
    expect(error).toMatchObject({ name: 'FormatError', code: 'INVALID_DATA' });
  });

  test('rejects operations that are too long for a CIGAR', async () => {
    const features: Feature[] = [
      ['D', 3, { DL: itf8(2 ** 27) }],
      ['D', 3, { DL: itf8(2 ** 27) }],
    ];
    const error = await rejection(decode(features, { needsReference: false }));
    expect(error).toMatchObject({ code: 'INVALID_DATA' });
    expect(String(error)).toContain('CIGAR operation');
  });
});
