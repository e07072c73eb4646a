import { decodeBam, fixtureNames, readFixture, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BamField, type BamSelection, createBamRewriter } from '../../src/index.js';
import { keepsWholeBamRecords } from '../../src/internal.js';
import { passPieces } from '../record-pieces.js';
import { ascii, buildRecord, encodeCigar, int32, join, patch } from './build-bam.js';
import { encodeModel, FIELDS, modelRecord, rewriteModel, TAG_NAMES } from './model-record.js';

function rewrite(data: Uint8Array, selection: BamSelection, pieceLengths?: readonly number[]): Uint8Array {
  return passPieces(createBamRewriter(selection), data, pieceLengths);
}

function without(...missing: readonly BamField[]): BamSelection {
  return { fields: FIELDS.filter((field) => !missing.includes(field)) };
}

/** One tag of each type (SAMv1 §4.2.4). */
const TAGS: Readonly<Record<string, Uint8Array>> = {
  XA: ascii('XAA!'),
  Xc: ascii('Xcc\xff'),
  XC: ascii('XCC\xff'),
  Xs: ascii('Xss\xff\xff'),
  XS: ascii('XSS\xff\xff'),
  Xi: ascii('Xii\xff\xff\xff\xff'),
  XI: ascii('XII\xff\xff\xff\xff'),
  Xf: ascii('Xff\0\0\x80\x3f'),
  XZ: ascii('XZZtext\0'),
  YZ: ascii('YZZ\0'), // empty
  XH: ascii('XHH1AE3\0'),
  Bc: ascii('BcBc\x03\0\0\0abc'),
  BC: ascii('BCBC\x01\0\0\0a'),
  Bs: ascii('BsBs\x02\0\0\0aabb'),
  BS: ascii('BSBS\x01\0\0\0aa'),
  Bi: ascii('BiBi\x01\0\0\0aaaa'),
  BI: ascii('BIBI\x02\0\0\0aaaabbbb'),
  Bf: ascii('BfBf\x01\0\0\0aaaa'),
  YB: ascii('YBBf\0\0\0\0'), // empty
};

describe('createBamRewriter, fields', () => {
  const parts = {
    refID: int32(1),
    pos: int32(20_000),
    l_read_name: Uint8Array.of(5),
    mapq: Uint8Array.of(60),
    bin: Uint8Array.of(0x4a, 0x12), // 4682
    n_cigar_op: Uint8Array.of(2, 0),
    flag: Uint8Array.of(99, 0),
    l_seq: int32(5),
    next_refID: int32(2),
    next_pos: int32(30_000),
    tlen: int32(-7),
    read_name: ascii('read\0'),
    cigar: encodeCigar([
      [2, 'S'],
      [3, 'M'],
    ]),
    seq: Uint8Array.of(0x12, 0x48, 0xf0),
    qual: Uint8Array.of(10, 20, 30, 40, 50),
    tags: ascii('NMC\x01'),
  };

  function build(changed: Partial<typeof parts> = {}): Uint8Array {
    const body = join(Object.values({ ...parts, ...changed }));
    return join([int32(body.length), body]);
  }

  const none = new Uint8Array(0);
  const noBin = Uint8Array.of(0x48, 0x12); // 4680
  test.each<[BamField, Partial<typeof parts>]>([
    ['QNAME', { l_read_name: Uint8Array.of(2), read_name: ascii('*\0') }],
    ['FLAG', { flag: Uint8Array.of(0, 0) }],
    ['RNAME', { refID: int32(-1) }],
    ['POS', { pos: int32(-1), bin: Uint8Array.of(0, 0) }], // bases −1 to 1, as htslib counts
    ['MAPQ', { mapq: Uint8Array.of(255) }],
    ['CIGAR', { n_cigar_op: Uint8Array.of(0, 0), cigar: none }],
    ['RNEXT', { next_refID: int32(-1) }],
    ['PNEXT', { next_pos: int32(-1) }],
    ['TLEN', { tlen: int32(0) }],
    ['SEQ', {}], // QUAL needs it
    ['QUAL', { qual: new Uint8Array(5).fill(0xff) }],
  ])('replaces %s with the value for "not available"', (field, changed) => {
    expect(rewrite(build(), without(field))).toEqual(build(changed));
  });

  test('drops SEQ together with QUAL', () => {
    expect(rewrite(build(), without('SEQ', 'QUAL'))).toEqual(build({ l_seq: int32(0), seq: none, qual: none }));
  });

  test('rewrites a record that loses all fields to one without name, position and bases', () => {
    const record = join([
      int32(34, -1, -1), // block_size, refID, pos
      Uint8Array.of(2, 255), // l_read_name, mapq
      noBin,
      Uint8Array.of(0, 0, 0, 0), // n_cigar_op, flag
      int32(0, -1, -1, 0), // l_seq, next_refID, next_pos, tlen
      ascii('*\0'),
    ]);
    expect(rewrite(build(), { fields: [], notags: ['NM'] })).toEqual(record);
  });

  test('computes the bin from the kept position and CIGAR', () => {
    const cigar = encodeCigar([
      [20_000, 'N'],
      [3, 'M'],
    ]);
    const long = build({ cigar, bin: Uint8Array.of(0x49, 0x02) }); // 585
    expect(rewrite(long, without('CIGAR')).slice(14, 16)).toEqual(parts.bin);
    expect(rewrite(long, without('POS', 'CIGAR')).slice(14, 16)).toEqual(noBin);
    expect(rewrite(long, without('FLAG')).slice(14, 16)).toEqual(Uint8Array.of(0x49, 0x02));
    expect(rewrite(build({ bin: noBin }), without('RNAME')).slice(14, 16)).toEqual(noBin); // wrong, but RNAME does not affect it
  });

  test('keeps flag 0x4 of an unmapped record that keeps both CIGAR and SEQ', () => {
    const record = buildRecord({ flag: 77, cigar: [[9, 'M']], baseCount: 5 });
    const flagOf = (selection: BamSelection): number | undefined => rewrite(record, selection)[18];
    expect(flagOf(without('FLAG'))).toBe(4);
    expect(flagOf(without('FLAG', 'CIGAR'))).toBe(0);
    expect(flagOf(without('FLAG', 'SEQ', 'QUAL'))).toBe(0);
    expect(flagOf(without('QNAME'))).toBe(77);
  });
});

describe('createBamRewriter, tags', () => {
  const record = buildRecord({ tags: join(Object.values(TAGS)) });

  test.each(Object.keys(TAGS))('drops %s, or all other tags', (name) => {
    const others = Object.entries(TAGS).flatMap(([each, tag]) => (each === name ? [] : [tag]));
    expect(rewrite(record, { notags: [name] })).toEqual(buildRecord({ tags: join(others) }));
    expect(rewrite(record, { tags: [name] })).toEqual(buildRecord({ tags: TAGS[name] ?? new Uint8Array(0) }));
  });

  test('keeps no tags for an empty list, and all tags without a list', () => {
    expect(rewrite(record, { tags: [] })).toEqual(buildRecord());
    expect(rewrite(record, {})).toEqual(record);
    expect(rewrite(record, { notags: [] })).toEqual(record);
  });

  test('drops a tag of both lists', () => {
    expect(rewrite(record, { tags: ['XA', 'Xc'], notags: ['XA'] })).toEqual(
      buildRecord({ tags: TAGS['Xc'] ?? new Uint8Array(0) }),
    );
  });

  test('drops or keeps every tag of a repeated name', () => {
    const twice = buildRecord({ tags: ascii('NMC\x01XAA!NMZa\0') });
    expect(rewrite(twice, { notags: ['NM'] })).toEqual(buildRecord({ tags: ascii('XAA!') }));
    expect(rewrite(twice, { tags: ['NM'] })).toEqual(buildRecord({ tags: ascii('NMC\x01NMZa\0') }));
  });

  test('ignores names that no tag can have', () => {
    const names = ['', 'X', 'XAX', 'X\u0141', 'xa', 'AX'];
    expect(rewrite(record, { notags: names })).toEqual(record);
    expect(rewrite(record, { tags: names })).toEqual(buildRecord());
  });
});

describe('createBamRewriter, long CIGAR', () => {
  const cigarTag = join([
    ascii('CGBI'),
    int32(3),
    encodeCigar([
      [1, 'M'],
      [2, 'I'],
      [1, 'D'],
    ]),
  ]);
  const other = ascii('NMC\x01');
  const placeholder = (baseCount: number): readonly [number, string][] => [
    [baseCount, 'S'],
    [2, 'N'],
  ];
  const long = buildRecord({ cigar: placeholder(3), baseCount: 3, tags: join([other, cigarTag]) });

  test('keeps the tag CG with CIGAR for any selection of tags', () => {
    const kept = buildRecord({ cigar: placeholder(3), baseCount: 3, tags: cigarTag });
    expect(rewrite(long, { tags: [] })).toEqual(kept);
    expect(rewrite(long, { notags: ['NM', 'CG'] })).toEqual(kept);
    expect(rewrite(long, { notags: ['CG'] })).toEqual(long);
  });

  test('drops the tag CG with CIGAR', () => {
    const noBin = (record: Uint8Array): Uint8Array => patch(record, 12, 0x1249_3c02); // bin 4681
    const left = { baseCount: 3, tags: other };
    expect(rewrite(long, without('CIGAR'))).toEqual(noBin(buildRecord(left)));
    expect(rewrite(long, { ...without('CIGAR'), tags: ['CG'] })).toEqual(noBin(buildRecord({ baseCount: 3 })));
  });

  test('writes a placeholder that clips no bases if SEQ is dropped', () => {
    const tags = join([other, cigarTag]);
    expect(rewrite(long, without('SEQ', 'QUAL'))).toEqual(buildRecord({ cigar: placeholder(0), tags }));
  });

  test.each([
    ['of another type', { tags: ascii('CGZ3M\0') }],
    ['after a placeholder that does not clip all bases', { cigar: placeholder(2), tags: cigarTag }],
    ['of fewer operations', { cigar: [...placeholder(3), [1, 'D'], [1, 'D']] as const, tags: cigarTag }],
    ['after an empty CIGAR', { cigar: [], tags: cigarTag }],
  ])('treats a tag CG %s as any other tag', (_, parts) => {
    const record = { cigar: placeholder(3), baseCount: 3, ...parts };
    expect(rewrite(buildRecord(record), { notags: ['CG'] })).toEqual(
      buildRecord({ ...record, tags: new Uint8Array(0) }),
    );
    expect(rewrite(buildRecord(record), { ...without('CIGAR'), tags: ['CG'] }).slice(-parts.tags.length)).toEqual(
      parts.tags,
    );
  });
});

describe('createBamRewriter, records', () => {
  test('agrees with an independent rewriting of random records in any pieces', () => {
    const selection = fc.record(
      {
        fields: fc.subarray([...FIELDS]),
        tags: fc.subarray(TAG_NAMES),
        notags: fc.subarray(TAG_NAMES, { maxLength: 2 }),
      },
      { requiredKeys: [] },
    );
    const lengths = fc.array(fc.oneof(fc.integer({ min: 1, max: 99 }), fc.constant(5000)), {
      minLength: 1,
      maxLength: 9,
    });
    const models = fc.array(modelRecord, { maxLength: 12 });
    fc.assert(
      fc.property(models, selection, lengths, (records, selected, pieceLengths) => {
        const rewritten = rewrite(join(records.map(encodeModel)), selected, pieceLengths);
        const expected = join(records.map((record) => encodeModel(rewriteModel(record, selected))));
        expect(Buffer.compare(rewritten, expected)).toBe(0);
      }),
      { seed: 6, numRuns: volume(3000) },
    );
  });

  test.each(fixtureNames('.bam'))('leaves %s unchanged if everything is kept', (name) => {
    const decoded = decodeBam(readFixture(name), { requireEof: false });
    const data = join(decoded.records.map(({ raw }) => raw));
    for (const selection of [{}, { fields: FIELDS }, { notags: ['??'] }]) {
      expect(Buffer.compare(rewrite(data, selection, [70_000, 1, 999]), data)).toBe(0);
    }
  });

  test('keepsWholeBamRecords reports whether a selection keeps everything', () => {
    const whole = [{}, { fields: FIELDS }, { fields: FIELDS.filter((field) => field !== 'SEQ'), notags: [] }];
    expect(whole.map(keepsWholeBamRecords)).toEqual([true, true, true]);
    const partial = [without('TLEN'), { tags: [] }, { tags: ['NM'] }, { notags: ['NM'] }, { fields: [] }];
    expect(partial.map(keepsWholeBamRecords)).toEqual(partial.map(() => false));
  });
});
