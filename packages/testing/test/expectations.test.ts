import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { bgunzip, expectations, fixtureNames, readFixture, toOrdinals } from '../src/index.js';

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

test('inclusive ranges expand to ordinals', () => {
  expect(
    toOrdinals([
      [0, 2],
      [7, 7],
    ]),
  ).toEqual([0, 1, 2, 7]);
  expect(toOrdinals([])).toEqual([]);
});

describe.each(fixtureNames('.vcf.gz'))('%s', (name) => {
  const expected = expectations(name);
  const text = Buffer.from(bgunzip(readFixture(name))).toString('latin1');

  test('holds the expected header, then the expected lines', () => {
    expect(text.startsWith(expected.header)).toBe(true);
    expect(sha256(text.slice(expected.header.length))).toBe(expected.bodySha256);
    expect(text.slice(expected.header.length).split('\n')).toHaveLength(expected.recordCount + 1);
  });
});

describe.each(fixtureNames('.bcf'))('%s', (name) => {
  const expected = expectations(name);
  const bytes = bgunzip(readFixture(name));
  const headerEnd = 9 + Buffer.from(bytes).readUInt32LE(5);

  test('holds the expected bytes behind the header', () => {
    expect(sha256(bytes.subarray(headerEnd))).toBe(expected.bodySha256);
  });
});

describe.each([...fixtureNames('.fa'), ...fixtureNames('.fa.gz')])('%s', (name) => {
  const expected = expectations(name);
  const bytes = name.endsWith('.gz') ? bgunzip(readFixture(name)) : readFixture(name);
  const records = Buffer.from(bytes).toString('latin1').slice(1).split(/^>/m);
  const sequences = records.map((record) => record.slice(record.indexOf('\n')).replace(/\s/g, ''));

  test('holds sequences with the expected names, lengths and digests', () => {
    expect(records.map((record) => /^\S+/.exec(record)?.[0])).toEqual(
      expected.sequences.map((sequence) => sequence.name),
    );
    for (const [i, { length, md5, sha512t24u, trunc512 }] of expected.sequences.entries()) {
      const bases = sequences[i]?.toUpperCase() ?? '';
      const sha512 = createHash('sha512').update(bases).digest().subarray(0, 24);
      expect(bases).toHaveLength(length);
      expect(createHash('md5').update(bases).digest('hex')).toBe(md5);
      expect(`SQ.${sha512.toString('base64url')}`).toBe(sha512t24u);
      expect(sha512.toString('hex')).toBe(trunc512);
    }
  });

  test('holds the expected slices', () => {
    expect(expected.slices.length).toBeGreaterThan(5);
    for (const slice of expected.slices) {
      const sequence = sequences[expected.sequences.findIndex((candidate) => candidate.name === slice.name)];
      expect(sequence?.slice(slice.start, slice.end)).toBe(slice.bases);
    }
  });
});

test('genome.fa.gz holds the bytes of genome.fa', () => {
  expect(sha256(bgunzip(readFixture('genome.fa.gz')))).toBe(sha256(readFixture('genome.fa')));
});
