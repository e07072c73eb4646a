import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRange } from '@htskit/bgzf';
import { createBamFilter } from '@htskit/formats';
import { bamRecordLength } from '@htskit/formats/internal';
import { type ByteSource, peek } from '@htskit/io';
import { bgunzip, decodeBam, fixturePath } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { type BinningIndex, parseBinningIndex, type RegionQuery } from '../src/index.js';
import { decodeBcf } from './support/bcf-records.js';

const WINDOW_SPAN = 2 ** 14;
/** The bases that a BAI covers. */
const BAI_SPAN = 2 ** 29;
/** Number of bin edges that are queried on each reference, out of those with records near them. */
const EDGES_PER_REFERENCE = 9;

const external = process.env['HTSKIT_EXTERNAL_DATA'];
const folders = [fixturePath('.'), ...(external === undefined ? [] : [external])];

/** htslib rejects extra gzip subfields, which SAMv1 §4.1 allows, so samtools cannot read the file itself. */
const UNREADABLE_FOR_SAMTOOLS = ['extra-subfield.bam'];

interface IndexedFile {
  readonly name: string;
  readonly path: string;
  readonly indexPath: string;
}

/** The files that have an index. */
function indexedFiles(suffixes: readonly string[]): IndexedFile[] {
  return folders.flatMap((folder) => {
    const names = readdirSync(folder);
    return names
      .filter((name) => suffixes.some((suffix) => name.endsWith(suffix)) && !UNREADABLE_FOR_SAMTOOLS.includes(name))
      .flatMap((name) => {
        const index = ['.bai', '.csi', '.tbi'].map((suffix) => `${name}${suffix}`).find((each) => names.includes(each));
        return index === undefined ? [] : [{ name, path: join(folder, name), indexPath: join(folder, index) }];
      });
  });
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 });
}

function rows(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));
}

function openIndex({ indexPath }: IndexedFile): BinningIndex {
  return parseBinningIndex(readFileSync(indexPath));
}

const alignments = indexedFiles(['.bam']);
const variants = indexedFiles(['.vcf.gz', '.bcf']);

describe('statistics', () => {
  test.each(alignments)('$name: equal those of samtools idxstats', (file) => {
    const index = openIndex(file);
    const statistics = rows(run('samtools', 'idxstats', file.path));
    const references = statistics.slice(0, -1).map(([, , mapped, unmapped], referenceId) => ({
      expected: { mapped: Number(mapped), unmapped: Number(unmapped) },
      found: index.referenceStatistics(referenceId) ?? { mapped: 0, unmapped: 0 },
    }));
    expect(references.map(({ found }) => found)).toEqual(references.map(({ expected }) => expected));
    expect(index.unplacedCount ?? 0).toBe(Number(statistics.at(-1)?.[3]));
  });

  test.each(variants)('$name: equal those of bcftools index --stats', (file) => {
    const index = openIndex(file);
    const names = index.tabix?.names ?? decodeBcf(bgunzip(readFileSync(file.path))).contigs;
    const found = names.map((name, referenceId) => [name, index.referenceStatistics(referenceId)?.mapped ?? 0]);
    const expected = rows(run('bcftools', 'index', '--stats', file.path)).map(([name, , count]) => [
      name,
      Number(count),
    ]);
    expect(found.filter(([, count]) => count !== 0)).toEqual(expected);
  });

  test.each(variants.filter(({ name }) => name.endsWith('.vcf.gz')))('$name: names equal those of tabix -l', (file) => {
    expect(openIndex(file).tabix?.names).toEqual(rows(run('tabix', '-l', file.path)).flat());
  });

  test('some files were compared', () => {
    expect(alignments.length).toBeGreaterThanOrEqual(9);
    expect(variants.length).toBeGreaterThanOrEqual(5);
  });
});

describe('at the edges of bins and references, chunks contain as many records as samtools view -c counts', () => {
  let compared = 0;
  let withRecords = 0;

  test.each(alignments)('$name', async (file) => {
    const index = openIndex(file);
    const bytes = readFileSync(file.path);
    const source = sourceOf(bytes);
    const { references, records } = decodeBam(bytes, { requireEof: false });
    for (const [referenceId, { name, length }] of references.entries()) {
      const own = records.filter((record) => record.referenceId === referenceId);
      const edges = edgesNear(own.map(({ position, end }) => [position, end])).filter((edge) => edge < length);
      const crossed = length > BAI_SPAN ? [BAI_SPAN] : [];
      for (const region of [...edges, ...crossed, length].flatMap((edge) => regionsAt(edge, referenceId, length))) {
        const { start, end } = region;
        const counted = Number(run('samtools', 'view', '-c', file.path, `{${name}}:${start + 1}-${end}`));
        expect([region, await countOverlapping(source, index, region)]).toEqual([region, counted]);
        compared++;
        withRecords += Math.min(counted, 1);
      }
    }
  });

  test('hundreds of regions were compared, and most have records', () => {
    expect(compared).toBeGreaterThan(200);
    expect(withRecords).toBeGreaterThan(compared / 2);
  });

  test.skipIf(external === undefined)('files that others wrote were among them (HTSKIT_EXTERNAL_DATA)', () => {
    expect(alignments.filter(({ path }) => !path.startsWith(fixturePath('.'))).length).toBeGreaterThan(0);
  });
});

/** Some of the multiples of 16 kb at which records begin or end, including the first and the last. */
function edgesNear(spans: readonly (readonly [start: number, end: number])[]): number[] {
  const near = spans.flatMap((span) => span.map((base) => Math.round(base / WINDOW_SPAN) * WINDOW_SPAN));
  const edges = [...new Set(near)].filter((edge) => edge > 0).sort((a, b) => a - b);
  const step = Math.max(1, (edges.length - 1) / (EDGES_PER_REFERENCE - 1));
  return edges.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/** Regions of one base near the edge, and one across it. */
function regionsAt(edge: number, referenceId: number, length: number): RegionQuery[] {
  return [
    { start: edge - 1, end: edge },
    { start: edge, end: edge + 1 },
    { start: edge + 1, end: edge + 2 },
    { start: edge - 1, end: edge + 1 },
  ]
    .filter(({ end }) => end <= length)
    .map((region) => ({ referenceId, ...region }));
}

async function countOverlapping(
  source: Pick<ByteSource, 'stream'>,
  index: BinningIndex,
  region: RegionQuery,
): Promise<number> {
  const filter = createBamFilter([region]);
  let count = 0;
  for (const chunk of index.chunks(region)) {
    for await (const { data } of inflateRange(source, chunk)) {
      for (const kept of filter.push(data).map(peek)) {
        for (let at = 0; at < kept.length; at += bamRecordLength(kept, at) ?? kept.length) count++;
      }
    }
  }
  filter.finish();
  return count;
}

function sourceOf(bytes: Uint8Array): Pick<ByteSource, 'read' | 'stream'> {
  const slice = ({ start, end }: { start: number; end: number }): Uint8Array => bytes.subarray(start, end);
  return {
    read: (range) => Promise.resolve(slice(range)),
    stream: (range) => new Response(Uint8Array.from(slice(range))).body ?? new ReadableStream(),
  };
}
