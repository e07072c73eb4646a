import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openVariants, RecordsError } from '@htskit/records';
import { fixturePath } from '@htskit/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type DensityFile, density } from '../../src/index.js';

describe.each(['variants.vcf.gz', 'variants.bcf', 'variants-csi.vcf.gz'])('%s', (name) => {
  test('has in each bin the records that start there', async () => {
    const file = await openVariants(fixturePath(name));
    const starts: [string, number][] = [];
    for await (const { referenceName, start } of file.records()) starts.push([referenceName, Math.max(0, start)]);
    let counted = 0;
    for (const { name: referenceName, length = 0 } of file.references) {
      for (const [start, end] of [
        [0, length],
        [length >> 3, length >> 2],
        [length - 7, length],
        [5, 5],
      ] as const) {
        const edges = Array.from({ length: 8 }, (_, i) => start + Math.floor((i * (end - start)) / 7));
        const { counts } = await density(file, { referenceName, start, end }, { bins: 7 });
        const expected = Array.from({ length: 7 }, (_, bin) => {
          const [from = 0, to = 0] = [edges[bin], edges[bin + 1]];
          return starts.filter(([id, base]) => id === referenceName && base >= from && base < to).length;
        });
        expect([...counts]).toEqual(expected);
        if (start === 0 && end === length) counted += counts.reduce((sum, count) => sum + count, 0);
      }
    }
    expect(counted).toBe(starts.length);
    await file.close();
  });

  test('adds up over adjacent regions and bins of a number of bases', async () => {
    const file = await openVariants(fixturePath(name));
    const { name: referenceName = '', length = 0 } = file.references[0] ?? {};
    const whole = await density(file, { referenceName }, { binSize: 1000 });
    expect(whole.counts).toHaveLength(Math.ceil(length / 1000));
    const parts: number[] = [];
    for (let start = 0; start < length; start += 4000) {
      parts.push(...(await density(file, { referenceName, start, end: start + 4000 }, { binSize: 1000 })).counts);
    }
    expect(parts).toEqual([...whole.counts]);
    await file.close();
  });
});

/** Returns a file whose records start at bases. */
function fileOf(starts: readonly number[], length?: number): DensityFile {
  return {
    references: [{ name: 'chr1', length }],
    async *columns() {
      yield { length: starts.length, start: Int32Array.from(starts) };
    },
  };
}

test('leaves out records that begin before the region or after it', async () => {
  const { counts } = await density(fileOf([5, 10, 19, 20]), { referenceName: 'chr1', start: 10, end: 20 }, { bins: 2 });
  expect([...counts]).toEqual([1, 1]);
});

test('counts a record at POS 0 at the first base', async () => {
  const file = fileOf([-1, 0], 10);
  expect([...(await density(file, { referenceName: 'chr1' }, { bins: 10 })).counts]).toEqual([
    2, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  ]);
  expect([...(await density(file, { referenceName: 'chr1', start: 1 })).counts]).toEqual([0]);
});

test('has bins of no base if there are more bins than bases', async () => {
  const { counts } = await density(fileOf([0, 1, 2], 3), { referenceName: 'chr1' }, { bins: 7 });
  expect([...counts]).toEqual([0, 0, 1, 0, 1, 0, 1]);
});

test('ends with the reference, and reads nothing for a region past its end', async () => {
  const file = fileOf([1], 3);
  const columns = vi.spyOn(file, 'columns');
  const { start, end, counts } = await density(file, { referenceName: 'chr1', start: 5, end: 9 }, { bins: 2 });
  expect([start, end, ...counts]).toEqual([3, 3, 0, 0]);
  expect(columns).not.toHaveBeenCalled();
});

test('decodes only positions', async () => {
  const file = fileOf([1], 3);
  const columns = vi.spyOn(file, 'columns');
  const { signal } = new AbortController();
  await density(file, { referenceName: 'chr1' }, { scan: true, signal });
  expect(columns).toHaveBeenCalledExactlyOnceWith(
    { referenceName: 'chr1', start: 0, end: 3 },
    { fields: ['start'], scan: true, signal },
  );
});

test('refuses unknown references, unknown ends and invalid bins', async () => {
  const file = fileOf([1]);
  await expect(density(file, { referenceName: 'chrX' })).rejects.toThrow('unknown reference "chrX"');
  await expect(density(file, { referenceName: 'chr1' })).rejects.toThrow(
    'the header does not declare the length of reference "chr1"; set the end of the region',
  );
  for (const options of [{ bins: 0 }, { bins: 1.5 }, { binSize: 0 }, { binSize: 0.5 }, { bins: 2 ** 25 }]) {
    await expect(density(fileOf([1], 9), { referenceName: 'chr1' }, options)).rejects.toThrow(RangeError);
  }
});

test('refuses a region of a file without an index, unless it may be scanned', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'htskit-density-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'alone.vcf.gz');
  await copyFile(fixturePath('variants.vcf.gz'), path);
  const file = await openVariants(path);
  await expect(density(file, { referenceName: 'chr1' })).rejects.toThrow(RecordsError);
  const { counts } = await density(file, { referenceName: 'chr1' }, { scan: true });
  expect(counts[0]).toBeGreaterThan(0);
  await file.close();
});
