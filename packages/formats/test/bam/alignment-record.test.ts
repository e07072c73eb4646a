import { inspect } from 'node:util';
import { checkMutations, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AlignmentRecord, FormatError } from '../../src/index.js';
import { parseBamRecordSpan } from '../../src/internal.js';
import { ascii, buildRecord, encodeCigar, int32, join } from './build-bam.js';
import { encodeModel, modelRecord } from './model-record.js';

function error(code: string, offset: number): Error {
  return expect.objectContaining({ name: 'FormatError', code, offset }) as Error;
}

function recordOf(parts: Parameters<typeof buildRecord>[0]): AlignmentRecord {
  return new AlignmentRecord(buildRecord(parts));
}

/** Reads everything that a record offers. */
function readAll(record: AlignmentRecord): unknown {
  const { name, flags, start, end, cigar, cigarText, sequence, qualities } = record;
  const references = Array.from({ length: 4 }, (_, id) => ({ name: `chr${id}`, length: 1000 }));
  return [
    name,
    flags,
    start,
    end,
    cigar,
    cigarText,
    sequence,
    qualities,
    [...record.tags()],
    record.toSam({ references }),
  ];
}

describe('AlignmentRecord', () => {
  test('shows its fields in JSON and when it is printed', () => {
    const tags = join([
      ascii('NMC'),
      Uint8Array.of(2),
      ascii('MLBC'),
      int32(2),
      Uint8Array.of(7, 255),
      ascii('RGZa\0'),
    ]);
    const record = recordOf({ cigar: [[2, 'M']], baseCount: 2, tags });
    const fields: unknown = JSON.parse(JSON.stringify(record));
    expect(fields).toMatchObject({
      name: record.name,
      flags: record.flags,
      start: record.start,
      end: record.end,
      cigarText: '2M',
      sequence: '==',
      qualities: [0, 0],
      tags: { NM: 2, ML: [7, 255], RG: 'a' },
    });
    expect(inspect({ record })).toBe(`{\n  record: AlignmentRecord ${inspect(fields).replaceAll('\n', '\n  ')}\n}`);
  });

  test('has null in JSON for qualities that are not stored', () => {
    expect(recordOf({}).toJSON()).toMatchObject({ sequence: '', qualities: null, tags: {} });
  });

  test('is printed with its error if it cannot be decoded', () => {
    expect(inspect(new AlignmentRecord())).toMatch(/^AlignmentRecord <.+>$/);
    const record = recordOf({ tags: ascii('NM?') });
    expect(inspect(record)).toMatch(/^AlignmentRecord <.+>$/);
    expect(() => JSON.stringify(record)).toThrow(FormatError);
  });

  test('prints operations of all lengths', () => {
    const cigar = Array.from({ length: 2000 }, (_, n) => [n + 1, 'MIDNSHP=X'[n % 9] ?? 'M'] as const);
    const longest = [2 ** 28 - 1, 'D'] as const;
    const record = new AlignmentRecord(buildRecord({ cigar: [...cigar, longest, ...cigar] }));
    expect(record.cigarText).toBe([...cigar, longest, ...cigar].map(([length, type]) => `${length}${type}`).join(''));
  });

  test('reads the fields of every record', () => {
    fc.assert(
      fc.property(modelRecord, fc.nat(20), (model, offset) => {
        const bytes = join([new Uint8Array(offset), encodeModel(model)]);
        const record = new AlignmentRecord(bytes, offset);
        const bases = model.bases.map((code) => '=ACMGRSVTWYHKDBN'[code]).join('');
        const isStored = model.qualities.length > 0 && model.qualities[0] !== 0xff;
        expect({
          name: record.name,
          flags: record.flags,
          referenceId: record.referenceId,
          start: record.start,
          mappingQuality: record.mappingQuality,
          mateReferenceId: record.mateReferenceId,
          mateStart: record.mateStart,
          templateLength: record.templateLength,
          sequence: record.sequence,
          qualities: record.qualities === undefined ? undefined : [...record.qualities],
          byteEnd: record.byteEnd,
        }).toEqual({
          name: model.name,
          flags: model.flag,
          referenceId: model.referenceId,
          start: model.position,
          mappingQuality: model.mappingQuality,
          mateReferenceId: model.mateReferenceId,
          mateStart: model.matePosition,
          templateLength: model.templateLength,
          sequence: bases,
          qualities: isStored ? model.qualities : undefined,
          byteEnd: bytes.length,
        });
        expect(record.end).toBe(parseBamRecordSpan(bytes, offset).baseEnd);
        const tagNames = [...record.tags()].map(({ name }) => name);
        const isCigarRead = !model.isCigarTag || (model.referenceId >= 0 && model.position >= 0);
        if (!isCigarRead) return;
        expect(record.cigar).toEqual(model.cigar.map(([length, operation]) => ({ operation, length })));
        expect(tagNames).toEqual(model.tags.map(({ name }) => name));
      }),
    );
  });

  test.each([
    [0x1, 'isPaired'],
    [0x2, 'isProperPair'],
    [0x4, 'isUnmapped'],
    [0x8, 'isMateUnmapped'],
    [0x10, 'isReverse'],
    [0x20, 'isMateReverse'],
    [0x40, 'isFirstInPair'],
    [0x80, 'isSecondInPair'],
    [0x100, 'isSecondary'],
    [0x200, 'isQcFail'],
    [0x400, 'isDuplicate'],
    [0x800, 'isSupplementary'],
  ] as const)('flag %d is %s', (flag, name) => {
    expect(recordOf({ flag })[name]).toBe(true);
    expect(recordOf({ flag: 0xfff ^ flag })[name]).toBe(false);
  });

  test('reads tags of all types', () => {
    const float = new Uint8Array(Float32Array.of(1.5).buffer);
    const tags = join([
      ascii('XAAx'),
      ascii('Xcc\xff'),
      ascii('XCC\xff'),
      ascii('Xss\xfe\xff'),
      ascii('XSS\xfe\xff'),
      join([ascii('Xii'), int32(-3)]),
      join([ascii('XII'), int32(-3)]),
      join([ascii('Xff'), float]),
      ascii('XZZtext\0'),
      ascii('XHH1AE3\0'),
    ]);
    const record = recordOf({ tags });
    const expected = {
      XA: 'x',
      Xc: -1,
      XC: 255,
      Xs: -2,
      XS: 65_534,
      Xi: -3,
      XI: 2 ** 32 - 3,
      Xf: 1.5,
      XZ: 'text',
      XH: '1AE3',
    };
    for (const [name, value] of Object.entries(expected)) expect(record.tag(name)).toBe(value);
    expect([...record.tags()].map(({ type }) => type).join('')).toBe('AcCsSiIfZH');
    expect(record.tag('ZZ')).toBeUndefined();
    expect(record.tag('X')).toBeUndefined();
  });

  test.each([
    ['c', Int8Array.of(-1, 2)],
    ['C', Uint8Array.of(255, 2)],
    ['s', Int16Array.of(-300, 2)],
    ['S', Uint16Array.of(65_535, 2)],
    ['i', Int32Array.of(-70_000, 2)],
    ['I', Uint32Array.of(2 ** 32 - 1, 2)],
    ['f', Float32Array.of(0.5, -2)],
  ])('reads arrays of the type %s as typed arrays', (type, array) => {
    const tags = join([ascii(`XBB${type}`), int32(array.length), new Uint8Array(array.buffer)]);
    const record = recordOf({ tags });
    expect(record.tag('XB')).toEqual(array);
    expect([...record.tags()]).toEqual([{ name: 'XB', type: `B${type}`, value: array }]);
  });

  test('reads a CIGAR of more than 65,535 operations from the tag CG, which is then no tag', () => {
    const operations = Array.from({ length: 70_000 }, (_, i) => [1, i % 2 === 0 ? 'M' : 'I'] as const);
    const tags = join([ascii('NMC\x05'), ascii('CGBI'), int32(operations.length), encodeCigar(operations)]);
    const placeholder = [
      [70_000, 'S'],
      [35_000, 'N'],
    ] as const;
    const record = recordOf({ position: 10, cigar: placeholder, baseCount: 70_000, tags });
    expect(record.cigar).toHaveLength(70_000);
    expect(record.cigarText.slice(0, 8)).toBe('1M1I1M1I');
    expect(record.end).toBe(10 + 35_000);
    expect([...record.tags()].map(({ name }) => name)).toEqual(['NM']);
    expect(record.tag('CG')).toBeUndefined();
  });

  test('returns views of other records in the same bytes', () => {
    const [a, b] = [buildRecord({ name: 'a\0' }), buildRecord({ name: 'b\0' })];
    const first = new AlignmentRecord(join([a, b]));
    const second = first.viewAt(a.length);
    expect([first.name, second.name, second.byteEnd]).toEqual(['a', 'b', a.length + b.length]);
    expect(second.bytes).toEqual(b);
    expect(() => first.viewAt(a.length + 1)).toThrow(FormatError);
  });

  test('decodes short texts of tags that are not ASCII', () => {
    const value = new TextEncoder().encode('µm');
    const tags = join([ascii('XAZ'), value, Uint8Array.of(0)]);
    expect(recordOf({ tags }).tag('XA')).toBe('µm');
  });

  test('moves to another record, also of other bytes', () => {
    const [first, second] = [buildRecord({ position: 1 }), buildRecord({ position: 2 })];
    const both = join([first, second]);
    const record = new AlignmentRecord(both);
    expect(record.start).toBe(1);
    expect(record.at(both, record.byteEnd).start).toBe(2);
    expect(record.bytes).toEqual(second);
    expect(record.at(first, 0).start).toBe(1);
  });

  test('rejects incomplete records and records whose parts exceed their length', () => {
    const record = buildRecord({ baseCount: 4 });
    for (const length of [1, 3, 20, record.length - 1]) {
      const bytes = join([record, record.subarray(0, length)]);
      expect(() => new AlignmentRecord(bytes, record.length)).toThrow(error('TRUNCATED', record.length));
    }
    const unfit = record.slice();
    new DataView(unfit.buffer).setUint32(20, 99, true);
    expect(() => new AlignmentRecord(join([record, unfit]), record.length)).toThrow(
      error('INVALID_DATA', record.length),
    );
  });

  test('reports malformed tags when tags are read, and not before', () => {
    const record = recordOf({ tags: ascii('NMC\x01XXq\x01') });
    expect(record.tag('NM')).toBe(1);
    expect(() => record.tag('YY')).toThrow(FormatError);
    expect(() => [...record.tags()]).toThrow(FormatError);
  });

  test('toSam rejects a reference that the header lacks', () => {
    expect(() => recordOf({ referenceId: 5 }).toSam({ references: [] })).toThrow('header does not declare reference 5');
  });

  test('damaged records are read or refused with a FormatError', async () => {
    const tags = join([ascii('MDZ3A2\0'), ascii('XBBs\x02\0\0\0abcd')]);
    const bytes = buildRecord({ position: 5, cigar: [[6, 'M']], baseCount: 6, tags });
    const outcomes = await checkMutations(bytes, {
      seed: 17,
      count: volume(3000),
      check(damaged) {
        try {
          const record = new AlignmentRecord(damaged);
          readAll(record);
          Array.from(record.mismatches());
          return true;
        } catch (fault) {
          if (fault instanceof FormatError) return false;
          throw fault;
        }
      },
    });
    expect(outcomes.accepted).toBeGreaterThan(volume(500));
    expect(outcomes.refused).toBeGreaterThan(volume(500));
  });
});
