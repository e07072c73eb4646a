import type { VirtualOffset } from '@htskit/bgzf';
import { fixturePath } from '@htskit/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openAlignments } from '../../src/index.js';
import type { DisjointInterval } from '../../src/region.js';
import { FileCache } from '../../src/source/file-cache.js';
import { BlockReading } from '../../src/stored/inflated-blocks.js';
import { RecordStarts } from '../../src/stored/record-starts.js';

const read = vi.spyOn(BlockReading.prototype, 'read');
afterEach(() => void read.mockClear());

function interval(start: number, recordsFrom = Number.NEGATIVE_INFINITY, referenceName = 'chr1'): DisjointInterval {
  return { referenceName, referenceId: 0, start, end: start + 100, recordsFrom };
}

function at(uoffset: number): VirtualOffset {
  return { coffset: 100, uoffset };
}

describe('the starts of records', () => {
  const [chunk, first, later] = [at(0), at(70), at(90)];

  test('hold for intervals that begin at the same base or after it', () => {
    const starts = new RecordStarts(new FileCache(10_000));
    starts.add(chunk, interval(500), first);
    expect(starts.firstFrom(chunk, interval(500))).toBe(first);
    expect(starts.firstFrom(chunk, interval(700))).toBe(first);
    expect(starts.firstFrom(chunk, interval(499))).toBe(chunk);
    expect(starts.firstFrom(chunk, interval(700, undefined, 'chr2'))).toBe(chunk);
    expect(starts.firstFrom(first, interval(700))).toBe(first);
  });

  test('are those of the last interval', () => {
    const starts = new RecordStarts(new FileCache(10_000));
    starts.add(chunk, interval(700), later);
    starts.add(chunk, interval(500), first);
    expect(starts.firstFrom(chunk, interval(700))).toBe(later);
    expect(starts.firstFrom(chunk, interval(500))).toBe(chunk);
  });

  test('are not those of an interval that left out records which overlap it', () => {
    const starts = new RecordStarts(new FileCache(10_000));
    starts.add(chunk, interval(500, 501), first);
    expect(starts.firstFrom(chunk, interval(500))).toBe(chunk);
  });

  test('are not kept beyond the budget', () => {
    const starts = new RecordStarts(new FileCache(0));
    starts.add(chunk, interval(500), first);
    expect(starts.firstFrom(chunk, interval(500))).toBe(chunk);
  });
});

test('a region that is read again is read from its first record on', async () => {
  const file = await openAlignments(fixturePath('reads.bam'));
  const region = { referenceName: 'chr1', start: 3000, end: 3300 };
  const starts = async (): Promise<string[]> => {
    read.mockClear();
    const names: string[] = [];
    for await (const { name } of file.records(region)) names.push(name);
    expect(names.length).toBeGreaterThan(0);
    const [range] = read.mock.calls.map(([{ start }]) => `${start.coffset}.${start.uoffset}`);
    return [range ?? '', ...names];
  };
  const [before, ...names] = await starts();
  const [after, ...again] = await starts();
  expect(again).toEqual(names);
  expect(after).not.toBe(before);
  await file.close();
});
