import { openAlignments } from '@htskit/records';
import { fixturePath } from '@htskit/testing';
import { describe, expect, test, vi } from 'vitest';
import { type DepthFilter, type DepthRuns, depth, readDepth } from '../../src/index.js';
import { expectedDepth, type TestAlignment, toLines } from './alignments.js';

const FILES = ['reads.bam', 'empty.bam', 'multiref.cram'];

type File = Awaited<ReturnType<typeof openAlignments>>;

async function open(name: string): Promise<File> {
  return openAlignments(fixturePath(name), { reference: fixturePath('genome.fa') });
}

/** Reads the records one by one, without columns. */
async function readAlignments(file: File): Promise<TestAlignment[]> {
  const alignments: TestAlignment[] = [];
  for await (const { referenceId, start, cigarText, flags, mappingQuality, qualities } of file.records()) {
    const cigar = cigarText;
    alignments.push({ referenceId, start, cigar, flags, mappingQuality, qualities: qualities && [...qualities] });
  }
  return alignments.filter(({ referenceId }) => referenceId >= 0);
}

async function collect(runs: AsyncIterable<DepthRuns>): Promise<DepthRuns[]> {
  const collected: DepthRuns[] = [];
  for await (const each of runs) collected.push(each);
  return collected;
}

const FILTERS: readonly DepthFilter[] = [{}, { countDeletions: true, minMappingQuality: 20 }, { minBaseQuality: 15 }];

describe.each(FILES)('%s', (name) => {
  test('has the depths of its records', async () => {
    const file = await open(name);
    const alignments = await readAlignments(file);
    for (const filter of FILTERS) {
      const runs = await collect(readDepth(file, undefined, filter));
      expect(toLines(runs).join('\n')).toBe(expectedDepth(alignments, filter).join('\n'));
    }
    await file.close();
  });

  test('has in each region the depths, the means and the maxima of its records', async () => {
    const file = await open(name);
    const depths = toLines(await collect(readDepth(file, undefined))).map((line) => line.split(' ').map(Number));
    for (const [referenceId, { name: referenceName, length = 0 }] of file.references.entries()) {
      for (const [start, end] of [
        [0, length],
        [length >> 3, length >> 2],
        [length - 7, length],
        [5, 5],
      ] as const) {
        const found = await depth(file, { referenceName, start, end }, { bins: 7 });
        const inside = depths.filter(([id, base = 0]) => id === referenceId && base >= start && base < end);
        expect(toLines([found.runs]).join()).toBe(inside.map((values) => values.join(' ')).join());
        const edges = Array.from({ length: 8 }, (_, i) => start + Math.floor((i * (end - start)) / 7));
        for (let bin = 0; bin < 7; bin++) {
          const [from = 0, to = 0] = [edges[bin], edges[bin + 1]];
          const values = inside.filter(([, base = 0]) => base >= from && base < to).map(([, , value = 0]) => value);
          const sum = values.reduce((total, value) => total + value, 0);
          expect(found.mean[bin]).toBe(Math.fround(to > from ? sum / (to - from) : 0));
          expect(found.max[bin]).toBe(values.reduce((most, value) => Math.max(most, value), 0));
        }
      }
    }
    await file.close();
  });
});

test('bases of overlapping regions come once, and in the order of the file', async () => {
  const file = await open('reads.bam');
  const regions = [
    { referenceName: 'chr2', start: 100, end: 300 },
    { referenceName: 'chr1', start: 20_000, end: 20_100 },
    { referenceName: 'chr1', start: 19_000, end: 20_050 },
    { referenceName: 'chr1', start: 40_000 },
  ];
  const found = toLines(await collect(readDepth(file, regions)));
  const expected = toLines(await collect(readDepth(file, undefined))).filter((line) => {
    const [id, base = 0] = line.split(' ').map(Number);
    return id === 1 ? base >= 100 && base < 300 : id === 0 && (base >= 40_000 || (base >= 19_000 && base < 20_100));
  });
  expect(found).toEqual(expected);
  await file.close();
});

test('bins of a number of bases end with the region', async () => {
  const file = await open('reads.bam');
  const { mean, max } = await depth(file, { referenceName: 'chr1', start: 1000, end: 1250 }, { binSize: 100 });
  const last = await depth(file, { referenceName: 'chr1', start: 1200, end: 1250 });
  expect(mean).toHaveLength(3);
  expect([mean[2], max[2]]).toEqual([last.mean[0], last.max[0]]);
  await file.close();
});

test.each([
  [{}, []],
  [{ minMappingQuality: 1 }, ['mappingQuality']],
  [{ minBaseQuality: 1 }, ['qualities']],
])('decodes only what %j needs', async (filter, fields) => {
  const file = await open('reads.bam');
  const columns = vi.spyOn(file, 'columns');
  await collect(readDepth(file, undefined, filter));
  expect(columns.mock.calls.map(([, request]) => request.fields)).toEqual([
    ['referenceId', 'start', 'flags', 'cigar', ...fields],
  ]);
  await file.close();
});

test('refuses unknown references and invalid bins', async () => {
  const file = await open('reads.bam');
  await expect(depth(file, { referenceName: 'chrX' })).rejects.toThrow('unknown reference "chrX"');
  for (const options of [{ bins: 0 }, { bins: 1.5 }, { binSize: 0 }, { binSize: 0.5 }, { bins: 2 ** 25 }]) {
    await expect(depth(file, { referenceName: 'chr1' }, options)).rejects.toThrow(RangeError);
  }
  await file.close();
});
