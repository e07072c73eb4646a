import { expectations, fixtureNames, mutations, readFixture, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import {
  type CramContainerHeader,
  FormatError,
  parseCramContainerHeader,
  parseCramHeader,
} from '../../../src/index.js';
import { cramEofContainer, cramHeaderLength, isCramEofContainer } from '../../../src/internal.js';
import { failure } from '../build-cram.js';

const names = fixtureNames('.cram');

interface Container {
  readonly start: number;
  readonly header: CramContainerHeader;
}

function containersOf(bytes: Uint8Array): Container[] {
  const { version, byteLength } = parseCramHeader(bytes);
  const containers: Container[] = [];
  for (let start = byteLength; start < bytes.length; ) {
    const header = parseCramContainerHeader(bytes.subarray(start), { version, offset: start });
    if (header === undefined) throw new Error('the file ends inside a container');
    containers.push({ start, header });
    start += header.headerLength + header.length;
  }
  return containers;
}

describe.each(names)('%s', (name) => {
  const bytes = readFixture(name);
  const { version, text, references, byteLength } = parseCramHeader(bytes);
  const containers = containersOf(bytes);

  test('has the header that samtools prints', () => {
    const expected = expectations(name);
    expect(text).toBe(expected.header);
    const md5s = [...text.matchAll(/\tM5:([0-9a-f]{32})/g)].map(([, md5]) => md5);
    expect(references).toEqual(
      expected.references.map(({ name, length }, index) => ({ name, length, md5: md5s[index] ?? '' })),
    );
  });

  test('is rejected with more references than `maxReferences`', () => {
    const { length } = references;
    expect(parseCramHeader(bytes, { maxReferences: length }).references).toHaveLength(length);
    const error = failure(() => parseCramHeader(bytes, { maxReferences: length - 1 }));
    expect(error).toMatchObject({ name: 'FormatError', code: 'LIMIT_EXCEEDED' });
  });

  test('has a known header length as soon as its first container header is complete', () => {
    const known = Array.from({ length: 90 }, (_, length) => cramHeaderLength(bytes.subarray(0, length)));
    expect(new Set(known)).toEqual(new Set([undefined, byteLength]));
    expect(known.lastIndexOf(undefined)).toBe(known.indexOf(byteLength) - 1);
    for (const length of [0, 3, 26, 30, byteLength - 1]) {
      expect(failure(() => parseCramHeader(bytes.subarray(0, length)))).toMatchObject({ code: 'TRUNCATED' });
    }
  });

  test('has containers that count their records', () => {
    let records = 0;
    for (const { header } of containers.slice(0, -1)) {
      expect(header.recordCounter).toBe(records);
      expect(header.landmarks.length).toBeGreaterThan(0);
      records += header.recordCount;
    }
    expect(records).toBe(expectations(name).recordCount);
  });

  test('ends with the EOF container', () => {
    expect(containers.map(({ header }) => isCramEofContainer(header)).indexOf(true)).toBe(containers.length - 1);
    expect(bytes.slice(containers.at(-1)?.start)).toEqual(cramEofContainer(version));
  });

  test('has container headers that are undefined for every proper prefix', () => {
    for (const { start, header } of containers) {
      const parse = (length: number): unknown =>
        parseCramContainerHeader(bytes.subarray(start, start + length), { version });
      expect(parse(header.headerLength)).toEqual(header);
      for (let length = 0; length < header.headerLength; length++) expect(parse(length)).toBeUndefined();
    }
  });

  test('is parsed or rejected with any damage', () => {
    const errors = [...mutations(bytes.subarray(0, byteLength + 100), { seed: 1, count: volume(1500) })].map(
      (mutation) =>
        failure(() => {
          parseCramHeader(mutation.bytes);
          parseCramContainerHeader(mutation.bytes.subarray(byteLength), { version });
        }),
    );
    expect(errors.filter((error) => error !== undefined && !(error instanceof FormatError))).toEqual([]);
    expect(errors.filter((error) => error !== undefined).length).toBeGreaterThan(volume(300));
  });
});

test('the header of CRAM 2.1 extends to the end of its block if the container declares to be shorter', () => {
  const bytes = readFixture('v21.cram');
  const expected = parseCramHeader(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  view.setInt32(26, view.getInt32(26, true) - 2, true);
  expect(parseCramHeader(bytes)).toEqual(expected);
  expect(cramHeaderLength(bytes.subarray(0, 100))).toBe(expected.byteLength);
});
