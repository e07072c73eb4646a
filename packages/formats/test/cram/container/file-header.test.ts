import { expectations, fixtureNames, mutations, readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import {
  type CramContainerHeader,
  cramEofContainer,
  cramHeaderLength,
  FormatError,
  isCramEofContainer,
  parseCramContainerHeader,
  parseCramFileDefinition,
  parseCramHeader,
} from '../../../src/index.js';

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

/** The error of an attempt; undefined if it succeeded. */
function failure(attempt: () => unknown): unknown {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe.each(names)('%s', (name) => {
  const bytes = readFixture(name);
  const { version, text, references, byteLength } = parseCramHeader(bytes);
  const containers = containersOf(bytes);

  test('begins with the header that samtools reads', () => {
    const expected = expectations(name);
    expect(text).toBe(expected.header);
    expect(references).toEqual(expected.references.map(({ name, length }) => ({ name, length })));
  });

  test('the number of references may be limited', () => {
    const { length } = references;
    expect(parseCramHeader(bytes, { maxReferences: length }).references).toHaveLength(length);
    const error = failure(() => parseCramHeader(bytes, { maxReferences: length - 1 }));
    expect(error).toMatchObject({ name: 'FormatError', code: 'LIMIT_EXCEEDED' });
  });

  test('the length of the header is known as soon as that of its container', () => {
    const known = Array.from({ length: 90 }, (_, length) => cramHeaderLength(bytes.subarray(0, length)));
    expect(new Set(known)).toEqual(new Set([undefined, byteLength]));
    expect(known.lastIndexOf(undefined)).toBe(known.indexOf(byteLength) - 1);
    for (const length of [0, 3, 26, 30, byteLength - 1]) {
      expect(failure(() => parseCramHeader(bytes.subarray(0, length)))).toMatchObject({ code: 'TRUNCATED' });
    }
  });

  test('containers count their records', () => {
    let records = 0;
    for (const { header } of containers.slice(0, -1)) {
      expect(header.recordCounter).toBe(records);
      expect(header.landmarks.length).toBeGreaterThan(0);
      records += header.recordCount;
    }
    expect(records).toBe(expectations(name).recordCount);
  });

  test('the last container marks the end', () => {
    expect(containers.map(({ header }) => isCramEofContainer(header)).indexOf(true)).toBe(containers.length - 1);
    expect(bytes.slice(containers.at(-1)?.start)).toEqual(cramEofContainer(version));
  });

  test('a container header is known once all of it is there', () => {
    for (const { start, header } of containers) {
      const parse = (length: number): unknown =>
        parseCramContainerHeader(bytes.subarray(start, start + length), { version });
      expect(parse(header.headerLength)).toEqual(header);
      for (let length = 0; length < header.headerLength; length++) expect(parse(length)).toBeUndefined();
    }
  });

  test('damaged bytes give a header or a FormatError', () => {
    const errors = [...mutations(bytes.subarray(0, byteLength + 100), { seed: 1, count: 1500 })].map((mutation) =>
      failure(() => {
        parseCramHeader(mutation.bytes);
        parseCramContainerHeader(mutation.bytes.subarray(byteLength), { version });
      }),
    );
    expect(errors.filter((error) => error !== undefined && !(error instanceof FormatError))).toEqual([]);
    expect(errors.filter((error) => error !== undefined).length).toBeGreaterThan(300);
  });
});

describe('parseCramContainerHeader', () => {
  const eof = cramEofContainer({ major: 2, minor: 1 });
  const parse = (bytes: ArrayLike<number>): unknown =>
    parseCramContainerHeader(Uint8Array.from(bytes), { version: { major: 2, minor: 1 }, offset: 1000 });

  test('reads every number', () => {
    const bytes = [99, 0, 0, 0, 3, 0x81, 0x00, 5, 7, 0x80, 0xc8, 0xc0, 0x40, 0, 9, 2, 11, 50];
    expect(parse(bytes)).toEqual({
      headerLength: 18,
      length: 99,
      referenceId: 3,
      alignmentStart: 256,
      alignmentSpan: 5,
      recordCount: 7,
      recordCounter: 200,
      baseCount: 2 ** 14,
      blockCount: 9,
      landmarks: [11, 50],
    });
  });

  test.each([
    ['a negative length', [0xff, 0xff, 0xff, 0xff], 1000],
    ['a reference that is none', [9, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0d, 0, 0, 0, 0, 0, 0, 0], 1016],
    ['a negative number of records', [9, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f], 1007],
    ['more slices than bytes', [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0], 1012],
    ['slices that do not ascend', [99, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 7, 7], 1014],
    ['a slice behind the end', [99, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 99], 1013],
  ])('refuses %s', (_, bytes, offset) => {
    expect(failure(() => parse(bytes))).toMatchObject({ code: 'INVALID_DATA', offset });
  });

  test('checks the CRC32 of CRAM 3', () => {
    const version = { major: 3, minor: 0 } as const;
    const bytes = cramEofContainer(version);
    expect(parseCramContainerHeader(bytes, { version })).toMatchObject({ length: 15, headerLength: 23 });
    bytes[13] = 1;
    expect(failure(() => parseCramContainerHeader(bytes, { version }))).toMatchObject({
      code: 'INVALID_DATA',
      offset: 19,
    });
    expect(parse(eof)).toMatchObject({ length: 11, headerLength: 19 });
  });
});

describe('parseCramFileDefinition', () => {
  const bytes = (...start: number[]): Uint8Array => Uint8Array.from({ length: 26 }, (_, at) => start[at] ?? at);

  test('reads the versions that there are, and the id of the file', () => {
    const { version, fileId } = parseCramFileDefinition(bytes(0x43, 0x52, 0x41, 0x4d, 3, 1));
    expect(version).toEqual({ major: 3, minor: 1 });
    expect([...fileId]).toEqual(Array.from({ length: 20 }, (_, at) => at + 6));
  });

  test.each([
    [1, 0],
    [4, 0],
    [3, 2],
  ])('refuses CRAM %i.%i', (major, minor) => {
    const error = failure(() => parseCramFileDefinition(bytes(0x43, 0x52, 0x41, 0x4d, major, minor)));
    expect(error).toMatchObject({ code: 'UNSUPPORTED', offset: 4 });
  });

  test('CRAM 2.0 has no marker of its end', () => {
    expect(cramEofContainer({ major: 2, minor: 0 })).toHaveLength(0);
  });

  test('refuses another format, and less than a definition', () => {
    expect(failure(() => parseCramFileDefinition(bytes(0x42)))).toMatchObject({ code: 'INVALID_MAGIC' });
    expect(failure(() => parseCramFileDefinition(Uint8Array.of(0x43)))).toMatchObject({ code: 'TRUNCATED', offset: 1 });
  });
});
