import { expect, test, vi } from 'vitest';
import { sampleAlignedBases } from '../../src/handler/file-samples.js';
import type { DepthFile } from '../../src/index.js';
import { type TestAlignment, toColumns } from '../depth/alignments.js';

const REFERENCES = [
  { name: 'chr1', length: 1_000_000 },
  { name: 'chr2', length: 10_000 },
  { name: 'chr3', length: 500_000 },
];

/** Returns a file of alignments, and an index with their numbers. */
function fileOf(alignments: readonly TestAlignment[]) {
  const columns = vi.fn<DepthFile['columns']>(async function* (
    ...[regions, { maxRecords = Infinity }]: Parameters<DepthFile['columns']>
  ): ReturnType<DepthFile['columns']> {
    const [{ referenceName, start = 0 } = { referenceName: '' }] = regions ?? [];
    const found = alignments.filter(
      (each) => REFERENCES[each.referenceId]?.name === referenceName && each.start + 150 > start,
    );
    for (let i = 0; i < found.length; i += maxRecords) yield toColumns(found.slice(i, i + maxRecords));
  });
  const isMapped = ({ flags = 0 }: TestAlignment): boolean => (flags & 4) === 0;
  const mappedOf = (id: number): number =>
    alignments.filter((each) => each.referenceId === id && isMapped(each)).length;
  return [
    { references: REFERENCES, columns },
    { referenceStatistics: (id: number) => ({ mapped: mappedOf(id) }), bytesBetween: () => new Float64Array() },
  ] as const;
}

/** Returns as many alignments, evenly over a range of bases. */
function spread(count: number, start: number, end: number, alignment: Partial<TestAlignment>): TestAlignment[] {
  return Array.from({ length: count }, (_, i) => ({
    ...{ referenceId: 0, start: Math.floor(start + (i * (end - start)) / count), cigar: '100M' },
    ...alignment,
  }));
}

test('reads at the start of the file that are unlike the others do not count as all', async () => {
  const short = spread(2000, 0, 50_000, { cigar: '10M90S' });
  const [file, index] = fileOf([...short, ...spread(20_000, 50_000, 999_000, {})]);
  expect(await sampleAlignedBases(file, index)).toBeGreaterThan(85);
});

test('references count by their numbers of records', async () => {
  const [file, index] = fileOf([
    ...spread(100, 0, 900_000, { cigar: '10M' }),
    ...spread(5000, 0, 400_000, { referenceId: 2 }),
  ]);
  expect(await sampleAlignedBases(file, index)).toBe(100);
});

test('records that do not count for the depth count as mapped', async () => {
  const duplicates = spread(5000, 0, 999_000, { flags: 0x400 });
  const alignments = spread(5000, 0, 999_000, {}).flatMap((each, i) => [each, duplicates[i] ?? each]);
  const [file, index] = fileOf([...alignments, ...spread(3000, 999_000, 999_500, { flags: 4 })]);
  expect(await sampleAlignedBases(file, index)).toBeCloseTo(50, 0);
});

test('records of a reference that all lie at its start are found', async () => {
  const [file, index] = fileOf(spread(5000, 0, 1000, { cigar: '70M' }));
  expect(await sampleAlignedBases(file, index)).toBe(70);
});

test('few records are read', async () => {
  const [file, index] = fileOf(spread(50_000, 0, 999_000, {}));
  await sampleAlignedBases(file, index);
  expect(file.columns.mock.calls.length).toBeLessThanOrEqual(8);
});

test('a file without mapped records has none', async () => {
  const [file, index] = fileOf([]);
  expect(await sampleAlignedBases(file, index)).toBe(0);
  expect(file.columns).not.toHaveBeenCalled();
});
