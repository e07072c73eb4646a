import { gunzip } from '@htskit/bgzf';
import { excessGrowth, excessGrowthAsync, readFixture, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { indexCram, parseCrai } from '../../src/index.js';

/** Encodes −2 or a number below 2^28 as ITF8. */
function itf8(value: number): number[] {
  if (value < 0) return [0xff, 0xff, 0xff, 0xff, 0x0e];
  if (value < 2 ** 7) return [value];
  if (value < 2 ** 14) return [0x80 | (value >>> 8), value & 0xff];
  if (value < 2 ** 21) return [0xc0 | (value >>> 16), (value >>> 8) & 0xff, value & 0xff];
  return [0xe0 | (value >>> 24), (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}

/** Encodes an uncompressed block of CRAM 2.1. */
function block(contentType: number, data: readonly number[]): number[] {
  return [0, contentType, 0, ...itf8(data.length), ...itf8(data.length), ...data];
}

interface ContainerParts {
  readonly referenceId: number;
  /** The blocks before the slices. */
  readonly head: readonly number[];
  readonly slices: readonly (readonly number[])[];
}

function container({ referenceId, head, slices }: ContainerParts): number[] {
  const landmarks: number[] = [];
  let length = head.length;
  for (const slice of slices) {
    landmarks.push(length);
    length += slice.length;
  }
  // Start, span, records, records before, bases, blocks, slices
  const counts = [0, 0, 0, 0, 0, 1, slices.length].flatMap(itf8);
  const size = [length & 0xff, (length >> 8) & 0xff, (length >> 16) & 0xff, length >> 24];
  return [...size, ...itf8(referenceId), ...counts, ...landmarks.flatMap(itf8), ...head, ...slices.flat()];
}

/** A CRAM file with one container after that of the SAM header. */
async function* cramOf(parts: ContainerParts): AsyncGenerator<Uint8Array, void> {
  const definition = [...new TextEncoder().encode('CRAM'), 2, 1, ...new Array<number>(20).fill(0)];
  const samHeader = container({ referenceId: 0, head: block(0, [0, 0, 0, 0]), slices: [] });
  yield Uint8Array.from([...definition, ...samHeader, ...container(parts)]);
}

/** A compression header of mapped records at base 1 of one reference, which take no bits. */
function constants(): number[] {
  const entries = ['BF', 'CF', 'RI', 'RL', 'AP', 'FN'].flatMap((name) => {
    const value = name === 'AP' || name === 'RL' ? 1 : 0;
    return [name.charCodeAt(0), name.charCodeAt(1), 3, 4, 1, value, 1, 0];
  });
  const preservation = [7, 2, 'R', 'N', 0, 'A', 'P', 0].map((part) =>
    typeof part === 'string' ? part.charCodeAt(0) : part,
  );
  return block(1, [...preservation, entries.length + 1, 6, ...entries, 1, 0]);
}

/** Encodes a slice header: no blocks, no embedded reference and no MD5. */
function sliceOf(referenceId: number, recordCount: number): number[] {
  const noEmbeddedReference = [0xff, 0xff, 0xff, 0xff, 0x0f];
  const md5 = new Array<number>(16).fill(0);
  return block(2, [...itf8(referenceId), 1, 1, ...itf8(recordCount), 0, 0, 0, ...noEmbeddedReference, ...md5]);
}

/** Returns the error of an attempt, or undefined if it succeeds. */
async function failure(attempt: Promise<unknown>): Promise<unknown> {
  return attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('indexCram of hostile files', () => {
  test('decodes no more records than the size of the file allows', async () => {
    const slices = new Array<number[]>(100).fill(sliceOf(-2, 2 ** 24 - 1));
    const hostile = cramOf({ referenceId: -2, head: constants(), slices });
    expect(await failure(indexCram(hostile))).toMatchObject({ name: 'FormatError', code: 'LIMIT_EXCEEDED' });
  });

  test('yields to the event loop, so that it can be aborted even if the whole file is in memory', async () => {
    const parts = { referenceId: -2, head: constants(), slices: new Array<number[]>(1000).fill(sliceOf(-2, 1)) };
    const bytes = Uint8Array.from(container(parts));
    async function* long(): AsyncGenerator<Uint8Array, void> {
      yield* cramOf(parts);
      // Without yielding, all of these containers would be read before the timer fires.
      for (let i = 0; i < 20_000; i++) yield bytes;
    }
    const controller = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => controller.abort(reason), 0);
    expect(await failure(indexCram(long(), { signal: controller.signal }))).toBe(reason);
  });

  test('reads many slices in linear time', async () => {
    const slicesOf = (count: number): number[][] => Array.from({ length: count }, () => sliceOf(0, 1));
    const index = (slices: number[][]): Promise<Uint8Array> =>
      indexCram(cramOf({ referenceId: 0, head: constants(), slices }));
    expect(parseCrai(gunzip(await index(slicesOf(1_000)))).sliceCount).toBe(1_000);
    expect(await excessGrowthAsync(slicesOf, index, { size: 1_000, factor: 32 })).toBeLessThan(10);
  });

  test('rejects an index over the limit', async () => {
    async function* file(): AsyncGenerator<Uint8Array, void> {
      yield readFixture('multiref.cram');
    }
    const { length } = gunzip(readFixture('multiref.cram.crai'));
    expect(await failure(indexCram(file(), { maxIndexBytes: length }))).toBeUndefined();
    const error = await failure(indexCram(file(), { maxIndexBytes: length - 1 }));
    expect(error).toMatchObject({ name: 'IndexError', code: 'LIMIT_EXCEEDED' });
  });
});

describe('parseCrai of large text', () => {
  test('rejects more than 64 MiB by default', () => {
    const text = new Uint8Array(2 ** 26 + 1).fill(0x0a);
    expect(() => parseCrai(text)).toThrow(/longer than 67108864 bytes/);
    expect(parseCrai(text.subarray(1)).sliceCount).toBe(0);
    const [short, maxBytes] = [text.subarray(0, 100), 99];
    expect(() => parseCrai(short, { maxBytes })).toThrow(/longer than 99 bytes/);
    expect(parseCrai(short, { maxBytes: 100 }).sliceCount).toBe(0);
  });

  test.each([
    ['of the shortest lines', '0\t1\t1\t0\t0\t0\n'],
    ['of lines out of order', '1\t1\t1\t0\t0\t0\n0\t1\t1\t0\t0\t0\n'],
  ])('%s takes linear time and several times its size in memory', (_, lines) => {
    const toText = (size: number): Uint8Array => new TextEncoder().encode(lines.repeat(size / lines.length));
    const text = toText(2 ** 23);
    const before = process.memoryUsage().arrayBuffers;
    const index = parseCrai(text);
    expect(index.sliceCount).toBe(text.length / 12);
    // Garbage counts too.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(12 * text.length);
    expect(excessGrowth(toText, (input) => parseCrai(input), { size: 48 * 1024, factor: 32 })).toBeLessThan(10);
  });

  const unsorted = (count: number): Uint8Array => {
    const lines: string[] = [];
    for (let line = 0; line < count; line++) lines.push(`${(line * 7919) % count}\t1\t1\t${line}\t0\t0\n`);
    return new TextEncoder().encode(lines.join(''));
  };

  test('has many unsorted references', () => {
    const count = volume(1_000_003);
    const index = parseCrai(unsorted(count));
    expect(index.referenceIds).toHaveLength(count);
    expect(index.containers({ referenceId: 7919, start: 0, end: 1 })).toEqual([{ start: 1, end: 2 }]);
    expect(index.containers({ referenceId: count, start: 0, end: 1 })).toEqual([]);
  });

  test('sorts references without quadratic time', () => {
    expect(excessGrowth(unsorted, (text) => parseCrai(text), { size: 4_001, factor: 32 })).toBeLessThan(20);
  });
});
