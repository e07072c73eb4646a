import { bgunzip, readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import { parseBamHeader, parseReadGroups, selectHeaderReadGroups } from '../../src/index.js';
import { replaceBamHeaderText } from '../../src/internal.js';

const TEXT = [
  '@HD\tVN:1.6',
  '@SQ\tSN:c\tLN:10',
  '@RG\tID:a\tSM:one\tDS:SM:x',
  '@RG\tSM:two\tID:b\r',
  '@RG\tID:c',
  '@RG\tSM:none',
  '@PG\tID:p\tCL:map -s one\tVN:1\tDS:of two',
  '@CO\t@RG\tID:d',
  '',
].join('\n');

test('read groups have the ID and the sample of their lines', () => {
  expect(parseReadGroups(TEXT)).toEqual([
    { id: 'a', sample: 'one' },
    { id: 'b', sample: 'two' },
    { id: 'c', sample: undefined },
  ]);
});

test('a header keeps the lines of some read groups', () => {
  const lines = TEXT.split('\n');
  expect(selectHeaderReadGroups(TEXT, { readGroups: ['b'] }).split('\n')).toEqual(
    lines.filter((line) => !line.startsWith('@RG') || line.includes('ID:b')),
  );
  expect(selectHeaderReadGroups(TEXT.trimEnd(), { readGroups: ['a', 'b', 'c'] })).toContain('ID:c\n@PG');
  expect(selectHeaderReadGroups('@RG\tID:a', { readGroups: [] })).toBe('');
});

test('a header that hides other samples has no comments, command lines and descriptions of programs', () => {
  const text = selectHeaderReadGroups(TEXT, { readGroups: ['a'], hidesOthers: true });
  expect(text).toBe('@HD\tVN:1.6\n@SQ\tSN:c\tLN:10\n@RG\tID:a\tSM:one\tDS:SM:x\n@PG\tID:p\tVN:1\n');
});

test('a BAM header gets another text, and keeps its references', () => {
  const data = bgunzip(readFixture('reads.bam'));
  const { text, references, byteLength } = parseBamHeader(data);
  const header = data.subarray(0, byteLength);
  expect(replaceBamHeaderText(header, text)).toEqual(new Uint8Array(header));
  const changed = parseBamHeader(replaceBamHeaderText(header, '@CO\tx\n'));
  expect(changed).toMatchObject({ text: '@CO\tx\n', references });
});
