import { describe, expect, test } from 'vitest';
import { AlignmentRecord, FormatError } from '../../../src/index.js';
import { ascii, buildRecord, encodeCigar, int32, join } from '../build-bam.js';

function recordOf(...tags: string[]): AlignmentRecord {
  return new AlignmentRecord(buildRecord({ tags: join(tags.map(ascii)) }));
}

describe('tags of a record', () => {
  test('are found in any order, the first of those with the same name', () => {
    const record = recordOf('XAC\x01', 'XBZtext\0', 'XAC\x02', 'XCC\x03');
    const names = ['XC', 'XA', 'XB', 'XA', 'XD', 'XB', 'XC'];
    expect(names.map((name) => record.tag(name))).toEqual([3, 1, 'text', 1, undefined, 'text', 3]);
  });

  test('are all found if there are more than the offsets that are kept', () => {
    const names = Array.from({ length: 200 }, (_, n) => `${String.fromCharCode(65 + Math.floor(n / 26))}${n % 10}`);
    const record = recordOf(...Array.from(new Set(names), (name, n) => `${name}C${String.fromCharCode(n + 1)}`));
    for (const { name, value } of [...record.tags()].reverse()) expect(record.tag(name)).toBe(value);
    expect(record.tag('zz')).toBeUndefined();
    for (const { name, value } of record.tags()) expect(record.tag(name)).toBe(value);
  });

  test('are those of each view, of views that take turns', () => {
    const bytes = join([1, 2].map((value) => buildRecord({ tags: ascii(`XAC\0XBC${String.fromCharCode(value)}`) })));
    const first = new AlignmentRecord(bytes);
    const second = first.viewAt(first.byteEnd);
    expect([first.tag('XB'), second.tag('XB'), first.tag('XB'), second.tag('XB')]).toEqual([1, 2, 1, 2]);
  });

  test('are those of a record that replaced another in the same memory', () => {
    const bytes = buildRecord({ tags: ascii('XAC\x01XBC\x02') });
    const record = new AlignmentRecord(bytes);
    expect(record.tag('XB')).toBe(2);
    bytes.set(buildRecord({ tags: ascii('XBC\x03XAC\x04') }));
    record.at(bytes, 0);
    expect([record.tag('XA'), record.tag('XB')]).toEqual([4, 3]);
  });

  test('before a malformed tag are found after that tag was reported', () => {
    const record = recordOf('XAC\x01', 'XBC\x02', 'XCq\x03');
    for (let i = 0; i < 2; i++) {
      expect(() => record.tag('XC')).toThrow(FormatError);
      expect(record.tag('XB')).toBe(2);
    }
  });

  test('include a second tag CG if the first one holds the CIGAR', () => {
    const operations = encodeCigar([
      [70_000, 'M'],
      [1, 'D'],
    ]);
    const tags = join([ascii('CGBI'), int32(2), operations, ascii('CGC\x07')]);
    const cigar = [
      [70_000, 'S'],
      [70_000, 'N'],
    ] as const;
    const record = new AlignmentRecord(buildRecord({ position: 10, cigar, baseCount: 70_000, tags }));
    expect([record.tag('CG'), record.tag('XX'), record.tag('CG')]).toEqual([7, undefined, 7]);
  });
});
