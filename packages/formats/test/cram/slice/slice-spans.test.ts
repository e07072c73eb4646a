import { gunzip } from '@htskit/bgzf';
import { fixtureNames, mutations, readFixture, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { FormatError, parseCramContainerHeader, parseCramHeader } from '../../../src/index.js';
import { parseCramSliceSpans } from '../../../src/internal.js';
import {
  beta,
  bits,
  block,
  CRAM_2_1,
  constant,
  encoding,
  external,
  failure,
  headerOf,
  huffman,
  itf8,
  places,
  simple,
  spansOf,
  withoutChecksums,
} from '../build-cram.js';

describe('parseCramSliceSpans', () => {
  test.each(fixtureNames('.cram'))('yields the spans that samtools writes into the index of %s', (name) => {
    const bytes = readFixture(name);
    const { version, byteLength } = parseCramHeader(bytes);
    const lines: string[] = [];
    for (let start = byteLength; start < bytes.length; ) {
      const header = parseCramContainerHeader(bytes.subarray(start), { version, offset: start });
      if (header === undefined) throw new Error('the file ends inside a container');
      const offset = start + header.headerLength;
      const blocks = bytes.subarray(offset, offset + header.length);
      for (const span of parseCramSliceSpans(blocks, { version, header, offset })) {
        const { referenceId, alignmentStart, alignmentSpan, landmark, byteLength } = span;
        lines.push([referenceId, alignmentStart, alignmentSpan, start, landmark, byteLength].join('\t'));
      }
      start = offset + header.length;
    }
    const expected = new TextDecoder().decode(gunzip(readFixture(`${name}.crai`)));
    expect(lines.map((line) => `${line}\n`).join('')).toBe(expected);
  });

  test('takes the span of a slice of one reference from its header', () => {
    const parts = { referenceId: 3, start: 7, span: 20, recordCount: 1, blocks: [block('core', 0, [])] };
    expect(spansOf({ series: {} }, parts, parts)).toEqual([
      { referenceId: 3, alignmentStart: 7, alignmentSpan: 20, landmark: 31, byteLength: 38 },
      { referenceId: 3, alignmentStart: 7, alignmentSpan: 20, landmark: 69, byteLength: 38 },
    ]);
  });

  test('yields a span for each run of records on one reference', () => {
    const blocks = [block('core', 0, bits('01 01 10 00')), block('external', 1, [5, 9, 2, 0])];
    const series = { ...simple, BF: huffman([0, 4], [1, 1]) };
    const core = block('core', 0, bits('0 01', '0 01', '0 10', '1 00'));
    expect(places(spansOf({ series: simple }, { recordCount: 3, blocks }))).toEqual(['0:5-18', '1:2-11']);
    expect(places(spansOf({ series }, { recordCount: 4, blocks: [core, ...blocks.slice(1)] }))).toEqual([
      '0:5-18',
      '1:2-11',
      '-1:0-0',
    ]);
  });

  test('decodes positions that are differences from the start of the slice', () => {
    const blocks = [block('core', 0, bits('01 01 10')), block('external', 1, [5, 4, ...itf8(-100)])];
    const parts = { start: 100, recordCount: 3, blocks };
    expect(places(spansOf({ series: simple, hasPositionDeltas: true }, parts))).toEqual(['0:105-118', '1:9-18']);
  });

  test('decodes the features that change the length of records', () => {
    const series = {
      ...simple,
      FN: external(2),
      FC: external(3),
      FP: external(4),
      DL: external(5),
      RS: external(5),
      IN: encoding(5, 0, ...itf8(6)),
      SC: encoding(4, ...external(7), ...external(6)),
      BB: encoding(5, 0x78, ...itf8(6)),
      BS: constant(1),
      BA: external(8),
      QS: external(8),
      HC: constant(9),
      PD: constant(9),
    };
    const features: readonly [
      codes: string,
      positions: number[],
      lengths: number[],
      strings: number[],
      clips: number[],
    ][] = [
      ['S', [1], [], [65, 65, 65], [3]],
      ['I', [4], [], [65, 65, 0], []],
      ['i', [4], [], [], []],
      ['D', [4], [7], [], []],
      ['N', [4], [100], [], []],
      ['DSN', [2, 3, 0], [7, 20], [65, 65], [2]],
      ['XBQqHP', [1, 1, 1, 1, 1, 1], [], [], []],
      ['b', [3], [], [65, 65, 0x78], []],
    ];
    const lasts = features.map(([codes, positions, lengths, strings, clips]) => {
      const blocks = [
        block('core', 0, bits('01')),
        block('external', 1, [1]),
        block('external', 2, [codes.length]),
        block(
          'external',
          3,
          Array.from(codes, (code) => code.charCodeAt(0)),
        ),
        block('external', 4, positions),
        block('external', 5, lengths),
        block('external', 6, strings),
        block('external', 7, clips),
        block('external', 8, [65, 65, 65]),
      ];
      return places(spansOf({ series }, { recordCount: 1, blocks }))[0];
    });
    expect(lasts).toEqual(['0:1-7', '0:1-8', '0:1-9', '0:1-17', '0:1-110', '0:1-35', '0:1-10', '0:1-10']);
  });

  test('decodes series that share a block in the order of the records', () => {
    // All in block 1, in order: names, mates, tags and qualities are interleaved with the needed series.
    const series = {
      ...simple,
      BF: external(1),
      CF: external(1),
      RI: external(1),
      RL: external(1),
      RG: external(1),
      RN: encoding(5, 0, ...itf8(1)),
      MF: external(1),
      NS: external(1),
      NP: external(1),
      TS: external(1),
      NF: external(1),
      TL: external(1),
      FN: external(1),
      MQ: external(1),
      BA: external(1),
      QS: external(1),
    };
    const tags = { NMC: encoding(4, ...constant(1), ...external(1)), XZZ: encoding(5, 9, ...itf8(1)) };
    const records = [
      // Flags, detached with qualities; reference, length, position, group; mate with name; tags; features, quality
      [0, 3, 0, 4, 50, 9, 1, 65, 0, 0, 99, 0, 1, 88, 70, 71, 9, 0, 60, 1, 2, 3, 4],
      [0, 4, 0, 4, 60, 9, 7, 0, 0, 60],
      [4, 1, 2, 3, 70, 9, 0, 65, 65, 65, 30, 30, 30],
    ];
    const blocks = [block('core', 0, []), block('external', 1, records.flat())];
    const parts = { recordCount: 3, blocks };
    const spans = spansOf({ series, tags, tagLines: [[], ['NMC', 'XZZ']] }, parts);
    expect(places(spans)).toEqual(['0:50-63', '2:70-70']);
  });

  test.each([
    ['BETA', beta(-5, 3), '010 111', [7, 12]],
    ['GAMMA', encoding(9, 0), '1 00101', [1, 5]],
    ['SUBEXP, k 1', encoding(7, 0, 1), '01 1110010', [1, 10]],
    ['SUBEXP, k 0', encoding(7, 0, 0), '1101 111010', [3, 6]],
    ['GOLOMB, M 10', encoding(2, 0, 10), '0100 11110010', [4, 42]],
    ['GOLOMB_RICE', encoding(8, 0, 2), '0 11 110 01', [3, 9]],
    ['HUFFMAN', huffman([1, 2, 3, 4, 5, 6], [1, 3, 3, 3, 4, 4]), '0 1110', [1, 5]],
  ])('decodes positions with %s', (_, AP, text, positions) => {
    const series = { ...simple, RI: constant(0), AP };
    const parts = { recordCount: 2, blocks: [block('core', 0, bits(text))] };
    expect(places(spansOf({ series }, parts))).toEqual([`0:${positions[0]}-${(positions[1] ?? 0) + 9}`]);
  });

  test.each<[string, Record<string, number[]>, number[], string]>([
    ['records out of order', {}, [9, 5], 'INVALID_DATA'],
    ['a mapped record without position', {}, [0, 1], 'INVALID_DATA'],
    ['a series that ends early', {}, [1], 'TRUNCATED'],
    ['an unknown feature', { FN: constant(1), FP: constant(1), FC: constant(33) }, [1, 2], 'INVALID_DATA'],
    [
      'a feature past the end of its record',
      { FN: constant(1), FP: constant(12), FC: constant(88) },
      [1, 2],
      'INVALID_DATA',
    ],
    [
      'a feature before the start of its record',
      { FN: constant(1), FP: constant(0), FC: constant(88) },
      [1, 2],
      'INVALID_DATA',
    ],
    ['an invalid reference id', { RI: constant(-2) }, [1, 2], 'INVALID_DATA'],
    ['a negative length', { RL: constant(-1) }, [1, 2], 'INVALID_DATA'],
    [
      'an encoding of numbers for an array',
      { FN: constant(1), FP: constant(1), FC: constant(73), IN: external(1) },
      [1, 2],
      'INVALID_DATA',
    ],
    ['an encoding of arrays for a number', { AP: encoding(5, 0, 1) }, [1, 2], 'INVALID_DATA'],
    ['an unknown encoding', { AP: encoding(10, 0) }, [1, 2], 'INVALID_DATA'],
    ['a missing encoding', { AP: encoding(0) }, [1, 2], 'INVALID_DATA'],
  ])('rejects %s', (_, series, positions, code) => {
    const blocks = [block('core', 0, bits('01 01')), block('external', 1, positions)];
    const attempt = (): unknown => spansOf({ series: { ...simple, ...series } }, { recordCount: 2, blocks });
    expect(failure(attempt)).toMatchObject({ name: 'FormatError', code });
  });

  test('accepts references in any order, but only one run of each, and unplaced records last', () => {
    const coded = (text: string): unknown => {
      const blocks = [block('core', 0, bits(text)), block('external', 1, [1, 2, 3])];
      const series = { ...simple, BF: constant(4) };
      return failure(() => spansOf({ series }, { recordCount: 3, blocks }));
    };
    // The bits of a record are its reference id plus one.
    expect([coded('11 10 01'), coded('01 10 00'), coded('10 00 00')]).toEqual([undefined, undefined, undefined]);
    for (const text of ['01 10 01', '00 01 01', '10 00 10']) {
      expect(coded(text)).toMatchObject({ code: 'INVALID_DATA' });
    }
  });

  test('parses or rejects every damaged container', () => {
    const bytes = readFixture('multiref.cram');
    const { version, byteLength } = parseCramHeader(bytes);
    const header = parseCramContainerHeader(bytes.subarray(byteLength), { version });
    const start = byteLength + (header?.headerLength ?? 0);
    const plain = withoutChecksums(bytes.subarray(start, start + (header?.length ?? 0)), version);
    const landmark = withoutChecksums(bytes.subarray(start, start + (header?.landmarks[0] ?? 0)), version).length;
    const parse = (data: Uint8Array): unknown => [
      ...parseCramSliceSpans(data, { version: CRAM_2_1, header: headerOf(data.length, [landmark]) }),
    ];
    expect(parse(plain)).toHaveLength(1);
    const errors = [...mutations(plain, { seed: 3, count: volume(3000) })].map((mutation) =>
      failure(() => parse(mutation.bytes)),
    );
    expect(errors.filter((error) => error !== undefined && !(error instanceof FormatError))).toEqual([]);
    expect(errors.filter((error) => error !== undefined).length).toBeGreaterThan(volume(300));
  });
});
