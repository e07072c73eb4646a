import { expect, test } from 'vitest';
import { decodeTags } from '../../src/decoders/bam-tags.js';

const decode = (...bytes: (number | string)[]): string[] =>
  decodeTags(
    Buffer.concat(bytes.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from([part])))),
  ).map(({ text }) => text);

test.each([
  [['NMc', 0xff], 'NM:i:-1'],
  [['NMC', 0xff], 'NM:i:255'],
  [['NMs', 0xfe, 0xff], 'NM:i:-2'],
  [['NMS', 0xfe, 0xff], 'NM:i:65534'],
  [['NMi', 0, 0, 0, 0x80], 'NM:i:-2147483648'],
  [['NMI', 0xff, 0xff, 0xff, 0xff], 'NM:i:4294967295'],
  [['XFf', 0, 0, 0xc0, 0x3f], 'XF:f:1.5'],
  [['XAA+'], 'XA:A:+'],
  [['RGZlane 1', 0], 'RG:Z:lane 1'],
  [['XHH1A', 0], 'XH:H:1A'],
  [['XBBc', 2, 0, 0, 0, 0xff, 1], 'XB:B:c,-1,1'],
  [['XBBS', 0, 0, 0, 0], 'XB:B:S'],
])('decodes %j', (bytes, text) => {
  expect(decode(...bytes)).toEqual([text]);
});

test('decodes consecutive tags, each with its bytes', () => {
  const tags = decodeTags(Buffer.from('NMC\x05RGZa\0', 'latin1'));
  expect(tags.map(({ key, raw }) => [key, raw.length])).toEqual([
    ['NM', 4],
    ['RG', 5],
  ]);
});

test.each([
  ['an unknown type', ['NMx', 0], 'unknown tag type'],
  ['an unknown array type', ['XBBZ', 0, 0, 0, 0], 'unknown array type'],
  ['text without NUL', ['RGZlane'], 'not terminated'],
  ['an array beyond the end', ['XBBc', 0xff, 0xff, 0xff, 0x7f], 'truncated'],
  ['an array of a negative length', ['XBBc', 0xff, 0xff, 0xff, 0xff], 'truncated'],
  ['a truncated number', ['NMi', 0, 0], 'bounds'],
  ['a truncated key', ['NM'], 'truncated'],
])('refuses %s', (_, bytes, problem) => {
  expect(() => decode(...bytes)).toThrow(problem);
});
