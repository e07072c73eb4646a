import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { fixtureNames, mutations, readFixture, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CraiSlice, formatCrai, gzipCrai, IndexError, parseCrai } from '../../src/index.js';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function textOf(bytes: Uint8Array): string {
  return formatCrai(parseCrai(bytes).slices());
}

/** Returns the error of an attempt, or undefined if it succeeds. */
function failure(attempt: () => unknown): unknown {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return error;
  }
}

const sorted = '0\t1\t100\t26\t9\t50\n0\t40\t10\t26\t59\t41\n1\t7\t3\t300\t8\t20\n-1\t0\t0\t300\t28\t9\n';

describe('parseCrai', () => {
  test('parses lines of six columns', () => {
    const index = parseCrai(encode(sorted));
    expect([...index.slices()]).toEqual([
      { referenceId: 0, alignmentStart: 1, alignmentSpan: 100, containerStart: 26, sliceOffset: 9, sliceSize: 50 },
      { referenceId: 0, alignmentStart: 40, alignmentSpan: 10, containerStart: 26, sliceOffset: 59, sliceSize: 41 },
      { referenceId: 1, alignmentStart: 7, alignmentSpan: 3, containerStart: 300, sliceOffset: 8, sliceSize: 20 },
      { referenceId: -1, alignmentStart: 0, alignmentSpan: 0, containerStart: 300, sliceOffset: 28, sliceSize: 9 },
    ]);
    expect(index.sliceCount).toBe(4);
    expect(index.containerCount).toBe(2);
    expect(index.referenceIds).toEqual([0, 1, -1]);
  });

  test('accepts a missing last line feed, CRLF and blank lines', () => {
    expect(textOf(encode(`\n${sorted.replaceAll('\n', '\r\n')}\r\n\n`))).toBe(sorted);
    expect(textOf(encode(sorted.trimEnd()))).toBe(sorted);
    expect(textOf(encode(`${sorted.trimEnd()}\r`))).toBe(sorted);
  });

  test('an empty text has no slices', () => {
    expect(parseCrai(new Uint8Array(0)).sliceCount).toBe(0);
    expect(parseCrai(new Uint8Array(0)).containers({ referenceId: 0, start: 0, end: 9 })).toEqual([]);
  });

  test('sorts lines by reference and start', () => {
    const lines = sorted.trimEnd().split('\n').reverse();
    expect(textOf(encode(lines.join('\n')))).toBe(sorted);
  });

  test('decompresses BGZF and gzip of several members', async () => {
    const bytes = encode(sorted);
    expect(textOf(Uint8Array.of(...deflateBlocks(bytes), ...EOF_MARKER))).toBe(sorted);
    const member = await gzipCrai(parseCrai(bytes).slices());
    expect(textOf(Uint8Array.of(...member, ...member)).length).toBe(2 * sorted.length);
  });

  test.each([
    ['0\t1\t2\t3\t4', 9],
    ['0\t1\t2\t3\t4\t', 10],
    ['0\t1\t2\t3\t4\t5\t6', 11],
    ['0\t1\t2\t3\t4\t5 ', 11],
    ['0\t1\t2\t3\t4\t5\r0', 11],
    ['0\t1\t2\t-3\t4\t5', 6],
    ['0 1 2 3 4 5', 1],
    ['x\t1\t2\t3\t4\t5', 0],
    ['-\t1\t2\t3\t4\t5', 1],
    ['-0\t1\t2\t3\t4\t5', 0],
    ['-3\t1\t2\t3\t4\t5', 0],
    ['--1\t1\t2\t3\t4\t5', 1],
    ['0\t1.5\t2\t3\t4\t5', 3],
    ['0\t0x1\t2\t3\t4\t5', 3],
    ['0\t\t2\t3\t4\t5', 2],
    ['2147483648\t1\t2\t3\t4\t5', 0],
    ['0\t9007199254740991\t1\t3\t4\t5', 0],
    ['0\t1\t2\t9007199254740992\t4\t5', 6],
    [`0\t1\t2\t${'9'.repeat(400)}\t4\t5`, 6],
    ['0\t1\t2\t3\t4294967296\t5', 0],
    ['0\t1\t2\t3\t4\t4294967296', 0],
    [' ', 0],
  ])('rejects the line %j', (line, offset) => {
    const error = new RegExp(`\\(at byte ${12 + offset}\\)`);
    expect(() => parseCrai(encode(`0\t1\t2\t3\t4\t5\n${line}\n`))).toThrow(error);
    expect(failure(() => parseCrai(encode(`${line}\n`)))).toMatchObject({ code: 'INVALID_DATA', offset });
  });

  test('rejects corrupt gzip and text over the limit', async () => {
    const gzip = await gzipCrai(parseCrai(encode(sorted)).slices());
    expect(failure(() => parseCrai(gzip.subarray(0, -9)))).toMatchObject({ name: 'IndexError', code: 'INVALID_DATA' });
    const limited = { name: 'IndexError', code: 'LIMIT_EXCEEDED' };
    expect(failure(() => parseCrai(gzip, { maxBytes: sorted.length - 1 }))).toMatchObject(limited);
    expect(parseCrai(gzip, { maxBytes: sorted.length }).sliceCount).toBe(4);
  });

  test('damaged bytes return an index or throw an IndexError', () => {
    for (const [seed, bytes] of [encode(sorted), readFixture('reads.cram.crai')].entries()) {
      const errors = [...mutations(bytes, { seed, count: volume(2000) })].map((mutation) =>
        failure(() => {
          const index = parseCrai(mutation.bytes);
          for (const referenceId of index.referenceIds) index.containers({ referenceId, start: 20, end: 1000 });
        }),
      );
      expect(errors.filter((error) => error !== undefined && !(error instanceof IndexError))).toEqual([]);
      expect(errors.filter((error) => error !== undefined).length).toBeGreaterThan(volume(300));
    }
  });
});

const slice: fc.Arbitrary<CraiSlice> = fc.record({
  referenceId: fc.integer({ min: -2, max: 4 }),
  alignmentStart: fc.oneof(fc.nat(200), fc.nat()),
  alignmentSpan: fc.oneof(fc.constant(0), fc.nat(50), fc.nat()),
  containerStart: fc.nat(30).map((index) => 26 + 100 * index),
  sliceOffset: fc.nat(),
  sliceSize: fc.nat(),
});

describe('formatCrai and gzipCrai', () => {
  test.each(fixtureNames('.crai'))('write %s as it is stored', async (name) => {
    const { slices, text } = { slices: [...parseCrai(readFixture(name)).slices()], text: textOf(readFixture(name)) };
    expect(formatCrai(slices)).toBe(text);
    expect(textOf(await gzipCrai(slices))).toBe(text);
  });

  test('are inverses of parseCrai', () => {
    fc.assert(
      fc.property(fc.array(slice), (slices) => {
        const text = formatCrai(slices);
        const lines = text.split('\n').toSorted();
        expect(textOf(encode(text)).split('\n').toSorted()).toEqual(lines);
      }),
    );
  });
});
