import { BlockInflater } from '@htskit/bgzf/internal';
import { memorySource } from '@htskit/storage/memory';
import { fixturePath, readFixture } from '@htskit/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openAlignments, openTabix, openVariants, type Region } from '../../src/index.js';
import { genomeReference } from '../genome-reference.js';

const inflate = vi.spyOn(BlockInflater.prototype, 'inflate');
afterEach(() => void inflate.mockClear());

/** A file of any format. */
interface CountableFile {
  readonly references: readonly { readonly name: string }[];
  count(regions?: Region | readonly Region[]): Promise<number>;
  close(): Promise<void>;
}

const options = { cacheBytes: 0, onWarning: () => undefined };
const FILES: readonly (readonly [string, () => Promise<CountableFile>])[] = [
  ['BAM', () => openAlignments(fixturePath('reads.bam'), options)],
  ['VCF', () => openVariants(fixturePath('variants.vcf.gz'), options)],
  ['BCF', () => openVariants(fixturePath('variants.bcf'), options)],
  ['tabix', () => openTabix(fixturePath('variants.vcf.gz'), fixturePath('variants.vcf.gz.tbi'), options)],
];

/** Returns how many blocks a call inflates. */
async function inflatedBy(call: () => Promise<unknown>): Promise<number> {
  inflate.mockClear();
  await call();
  return inflate.mock.calls.length;
}

describe.each(FILES)('regions of %s', (_, open) => {
  test('read no block after the last record of the region', async () => {
    const file = await open();
    const { name = '' } = file.references[0] ?? {};
    const whole = await inflatedBy(() => file.count({ referenceName: name }));
    const start = await inflatedBy(() => file.count({ referenceName: name, start: 0, end: 1 }));
    expect(start).toBeLessThanOrEqual(1);
    expect(whole).toBeGreaterThan(1);
    await file.close();
  });

  test('of a list inflate each block once, in any order', async () => {
    const file = await open();
    const { name: referenceName = '' } = file.references[0] ?? {};
    const whole = await inflatedBy(() => file.count({ referenceName }));
    const count = await file.count({ referenceName });
    const tiles = Array.from({ length: 200 }, (_unused, i) => ({ referenceName, start: 500 * i, end: 500 * i + 499 }));
    const rest = { referenceName, start: 100_000 };
    const shuffled = [
      ...tiles.filter((_tile, i) => i % 2 === 1).reverse(),
      rest,
      ...tiles.filter((_tile, i) => i % 2 === 0),
    ];
    expect(await inflatedBy(() => file.count(shuffled))).toBeLessThanOrEqual(whole);
    expect(await file.count(shuffled)).toBeGreaterThan(0.9 * count);
    await file.close();
  });
});

test('a region in the middle of a reference is read without the blocks of others', async () => {
  const file = await openAlignments(memorySource(readFixture('reads.bam')), {
    ...options,
    index: fixturePath('reads.bam.bai'),
  });
  const whole = await inflatedBy(() => file.count());
  const far = [
    { referenceName: 'chr1', start: 100, end: 200 },
    { referenceName: 'chr2', start: 0, end: 10 },
  ];
  expect(await inflatedBy(() => file.count(far))).toBeLessThan(whole / 2);
  await file.close();
});

test.each(['reads.bam', 'reads.cram'])('hands out no memory that is kept of %s', async (name) => {
  const file = await openAlignments(fixturePath(name), { reference: genomeReference });
  const region = { referenceName: 'chr1', start: 0, end: 60_000 };
  const read = async (change: boolean): Promise<string> => {
    const parts: Buffer[] = [];
    for await (const piece of file.recordBytes(region)) {
      expect(piece.buffer.byteLength).toBe(piece.byteLength);
      parts.push(Buffer.from(piece));
      if (change) piece.fill(0);
    }
    return Buffer.concat(parts).toString('latin1');
  };
  const first = await read(true);
  expect(await read(true)).toBe(first);
  expect(await read(false)).toBe(first);
  await file.close();
});

test.each(['reads.bam', 'reads.cram'])('views of records share the memory that is kept of %s', async (name) => {
  const file = await openAlignments(fixturePath(name), { reference: genomeReference });
  const region = { referenceName: 'chr1', start: 0, end: 60_000 };
  const memory = async (): Promise<ReadonlySet<ArrayBufferLike>> => {
    const buffers = new Set<ArrayBufferLike>();
    for await (const { bytes } of file.records(region)) buffers.add(bytes.buffer);
    return buffers;
  };
  const first = await memory();
  const again = [...(await memory())].filter((buffer) => first.has(buffer));
  // A record that lies in several blocks is in memory of its own.
  expect(again.length).toBeGreaterThan(first.size / 2);
  await file.close();
});
