import { inspect } from 'node:util';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { indexTabix, parseBinningIndex, TABIX_SETTINGS } from '@htskit/indexes';
import { concatBytes } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { createRandom, expectations, fixturePath, readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import { openTabix } from '../src/index.js';
import { collect } from './expected-records.js';

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Lines of BED with random intervals, sorted, after two lines that are not records. */
function bedLines(): { name: string; start: number; end: number }[] {
  const random = createRandom(7);
  return ['chr1', 'chr2'].flatMap((name) =>
    Array.from({ length: 3000 }, () => {
      const start = Math.floor(random() * 1_000_000);
      return { name, start, end: start + 1 + Math.floor(random() ** 8 * 200_000) };
    }).sort((a, b) => a.start - b.start),
  );
}

test('finds the lines of a BED file that overlap a region', async () => {
  const lines = bedLines();
  const text = `#chrom\n#more\n${lines.map(({ name, start, end }) => `${name}\t${start}\t${end}\n`).join('')}`;
  const bytes = concatBytes([deflateBlocks(new TextEncoder().encode(text)), EOF_MARKER]);
  const index = await indexTabix(once(bytes), { settings: TABIX_SETTINGS.bed });
  const file = await openTabix(memorySource(bytes), memorySource(index));
  expect(file.header).toMatchObject({ text: '#chrom\n#more\n', isZeroBased: true, sequenceColumn: 1 });
  expect(file.references).toEqual([
    { name: 'chr1', length: undefined },
    { name: 'chr2', length: undefined },
  ]);
  expect(await file.count()).toBe(6000);
  for (const [start, end] of [
    [0, 1],
    [500_000, 500_001],
    [200_000, 400_000],
    [999_000, 2_000_000],
  ] as const) {
    const found = await collect(file.records({ referenceName: 'chr2', start, end }));
    const expected = lines.filter((line) => line.name === 'chr2' && line.start < end && start < line.end);
    expect(found.map(({ referenceName: name, start, end }) => ({ name, start, end }))).toEqual(expected);
  }
  expect(parseBinningIndex(index).format).toBe('TBI');
});

test('reads VCF as lines', async () => {
  const file = await openTabix(fixturePath('variants.vcf.gz'));
  const [first] = await collect(file.records({ referenceName: 'chr2' }));
  expect(first?.columns[0]).toBe('chr2');
  expect(first?.line.split('\t')).toEqual(first?.columns);
  expect(await file.count()).toBe(expectations('variants.vcf.gz').recordCount);
  expect(file.header.text).toMatch(/^##fileformat=VCF.*\n#CHROM\t.*\n$/s);
  await file.close();
});

test('a line shows its columns in JSON and when it is printed', async () => {
  const file = await openTabix(fixturePath('variants.vcf.gz'));
  const { value: record } = await file.records('chr1').next();
  await file.close();
  const { referenceName, start, end, columns } = record ?? {};
  expect(columns?.length).toBeGreaterThan(8);
  expect(JSON.parse(JSON.stringify(record))).toEqual({ referenceName, start, end, columns });
  expect(inspect(record)).toBe(`TabixRecord ${inspect({ referenceName, start, end, columns })}`);
});

test('rejects an index that does not state columns, and a file without an index', async () => {
  const bytes = memorySource(readFixture('variants.bcf'));
  await expect(openTabix(bytes, fixturePath('variants.bcf.csi'))).rejects.toMatchObject({ code: 'INVALID_DATA' });
  await expect(openTabix(bytes)).rejects.toMatchObject({ code: 'MISSING_INDEX' });
});

/** Opens lines that are indexed without the last of them, if that is bad. */
async function openLines(text: string, settings: 'bed' | 'gff', indexed: string = text): ReturnType<typeof openTabix> {
  const compress = (lines: string): Uint8Array =>
    concatBytes([deflateBlocks(new TextEncoder().encode(lines), { level: 0 }), EOF_MARKER]);
  const index = await indexTabix(once(compress(indexed)), { settings });
  return openTabix(memorySource(compress(text)), memorySource(index));
}

test.each([
  ['bed', 'track\t1\t5\ntrack name=x\nbrowser\t2\t7\nbrowser hide all\n', ['track\t1\t5', 'browser\t2\t7']],
  ['gff', 'track name=x\n\nc\ta\tb\t1\t5\n##FASTA\n>c\nc\ta\tb\t2\t6\n', ['c\ta\tb\t1\t5']],
] as const)('reads and indexes the same lines of %s', async (settings, text, expected) => {
  const file = await openLines(text, settings);
  expect((await collect(file.records())).map(({ line }) => line)).toEqual(expected);
  const regions = file.references.map(({ name }) => ({ referenceName: name }));
  expect((await collect(file.records(regions))).map(({ line }) => line)).toEqual(expected);
});

test('an error names a bad line, after the lines before it', async () => {
  const good = '#comment\nc\t1\t5\n\nc\t2\t6\n';
  const file = await openLines(`${good}c\tx\t7\nc\t3\t8\n`, 'bed', `${good}c\t3\t7\nc\t3\t8\n`);
  for (const [region, message] of [
    [undefined, 'line 5: column 2 is not a number'],
    [{ referenceName: 'c' }, 'line "c\\tx\\t7": column 2 is not a number'],
  ] as const) {
    const lines: string[] = [];
    const reading = (async () => {
      for await (const { line } of file.records(region)) lines.push(line);
    })();
    await expect(reading).rejects.toThrow(message);
    expect(lines).toEqual(['c\t1\t5', 'c\t2\t6']);
  }
});
