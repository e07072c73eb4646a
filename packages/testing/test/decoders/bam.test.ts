import { createHash } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeTags } from '../../src/decoders/bam.js';
import {
  bgunzip,
  type DecodedBam,
  decodeBam,
  type ExpectedRegion,
  expectations,
  fixtureNames,
  mutations,
  readFixture,
  toOrdinals,
  toSamText,
} from '../../src/index.js';

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** Creates one BGZF block (SAMv1 §4.1) of at most 65 280 bytes. */
function toBlock(data: Uint8Array): Buffer {
  const deflated = deflateRawSync(data);
  const block = Buffer.concat([Buffer.from('1f8b08040000000000ff0600424302000000', 'hex'), deflated, Buffer.alloc(8)]);
  block.writeUInt16LE(block.length - 1, 16);
  block.writeUInt32LE(crc32(data), block.length - 8);
  block.writeUInt32LE(data.length, block.length - 4);
  return block;
}

function failureOf(call: () => unknown): unknown {
  try {
    call();
    return undefined;
  } catch (error) {
    return error;
  }
}

function overlapping({ references, records }: DecodedBam, { referenceName, start, end }: ExpectedRegion): number[] {
  const id = references.findIndex(({ name }) => name === referenceName);
  return [...records.keys()].filter((i) => {
    const record = records[i];
    return record !== undefined && record.referenceId === id && record.position < end && record.end > start;
  });
}

describe.each(fixtureNames('.bam'))('%s', (name) => {
  const expected = expectations(name);
  const bam = decodeBam(readFixture(name), { requireEof: name !== 'no-eof.bam' });

  test('has the header that samtools reads', () => {
    expect(bam.headerText).toBe(expected.header);
    expect(bam.references).toEqual(
      expected.references.map((reference) => ({ name: reference.name, length: reference.length })),
    );
  });

  test('has the records that samtools reads', () => {
    expect(bam.records).toHaveLength(expected.recordCount);
    expect(sha256(toSamText(bam))).toBe(expected.textSha256);
    expect(sha256(Buffer.concat(bam.records.map(({ raw }) => raw)))).toBe(expected.bodySha256);
    expect(new Set(bam.records.map((record) => record.name)).size).toBe(expected.recordCount);
  });

  test('has the counts that samtools reads', () => {
    const count = (id: number, isMapped: boolean): number =>
      bam.records.filter(({ referenceId, flag }) => referenceId === id && ((flag & 4) === 0) === isMapped).length;
    const counts = expected.references.map((_, id) => ({ mapped: count(id, true), unmapped: count(id, false) }));
    expect(counts).toEqual(expected.references.map(({ mapped, unmapped }) => ({ mapped, unmapped })));
    expect(bam.records.filter(({ referenceId }) => referenceId === -1)).toHaveLength(expected.unplacedCount);
  });

  test('has the records in each region that samtools finds there', () => {
    for (const region of expected.regions) expect(overlapping(bam, region)).toEqual(toOrdinals(region.records));
  });
});

test('a CIGAR of more than 65 535 operations is taken from the CG tag', () => {
  const { records } = decodeBam(readFixture('long-cigar.bam'));
  const long = records.find(({ cigar }) => cigar.length > 1_000);
  expect(long).toMatchObject({ position: 20_000, end: 90_001 });
  expect(long?.tags.map(({ key }) => key)).not.toContain('CG');
});

describe('decodeBam rejects', () => {
  const plain = bgunzip(readFixture('no-references.bam'));
  const decode = (bytes: Uint8Array): DecodedBam => decodeBam(toBlock(bytes), { requireEof: false });

  test('no valid file', () => {
    expect(decode(plain).records).toHaveLength(40);
  });

  test('a missing EOF marker', () => {
    expect(() => decodeBam(readFixture('no-eof.bam'))).toThrow('no EOF marker');
  });

  test('another magic', () => {
    expect(() => decode(Buffer.from('CRAM'))).toThrow('no BAM magic');
  });

  test('a truncated header', () => {
    expect(() => decode(plain.subarray(0, 20))).toThrow('truncated');
  });

  test('every truncation that is not at a record boundary', () => {
    const lengths = decode(plain).records.map(({ raw }) => raw.length);
    const last = plain.length - (lengths.at(-1) ?? 0);
    const start = last - (lengths.at(-2) ?? 0);
    expect(decode(plain.subarray(0, last)).records).toHaveLength(39);
    const ends = Array.from({ length: plain.length - start - 1 }, (_, i) => start + 1 + i).filter(
      (end) => end !== last,
    );
    for (const end of ends) expect(() => decode(plain.subarray(0, end))).toThrow('truncated');
  });

  test('trailing garbage', () => {
    expect(() => decode(Buffer.concat([plain, Buffer.from([1])]))).toThrow('truncated');
    expect(() => decode(Buffer.concat([plain, Buffer.alloc(4)]))).toThrow('truncated');
  });

  test('a reference that is not in the header', () => {
    const changed = Buffer.from(plain);
    changed.writeInt32LE(0, plain.length - (decode(plain).records.at(-1)?.raw.length ?? 0) + 4);
    expect(() => decode(changed)).toThrow('reference 0 is not in the header');
  });

  test('most damaged bytes with an Error', () => {
    const failures = [...mutations(plain, { seed: 1, count: 500 })].map(({ bytes }) => failureOf(() => decode(bytes)));
    const refused = failures.filter((failure) => failure !== undefined);
    expect(refused.length).toBeGreaterThan(100);
    expect(refused.filter((failure) => !(failure instanceof Error))).toEqual([]);
  });
});

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
