import { copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { fixturePath } from '@htskit/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type ExplainFileOptions,
  explainFile,
  type FileExplanation,
} from '../../../src/commands/ticket/explain-file.js';
import { formatExplanation } from '../../../src/commands/ticket/ticket-command.js';
import { RegionError } from '../../../src/stored-file/parse-region.js';

let scratch = '';
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
});
afterEach(() => rmSync(scratch, { recursive: true }));

const explain = (
  name: string,
  regions: string[],
  options: Partial<ExplainFileOptions> = {},
): Promise<FileExplanation> =>
  explainFile(fixturePath(name), { regions, isHeaderOnly: false, precision: 'auto', ...options });

describe('explainFile', () => {
  test('plans a region of a BAM as header, one filtered cut and the end marker', async () => {
    const explanation = await explain('reads.bam', ['chr1:1,001-2,000']);
    const { size } = statSync(fixturePath('reads.bam'));
    expect(explanation).toMatchObject({
      format: 'BAM',
      index: fixturePath('reads.bam.bai'),
      regions: [{ referenceName: 'chr1', start: 1000, end: 2000 }],
      fileBytes: size,
    });
    const [header, body, eof] = explanation.segments;
    expect(header).toMatchObject({ kind: 'inline', class: 'header' });
    expect(body).toMatchObject({ kind: 'cut', filteredTo: [{ referenceName: 'chr1', start: 1000, end: 2000 }] });
    expect(eof).toEqual({ kind: 'inline', class: 'body', bytes: 28 });
    expect(explanation.plannedBytes).toBe(body?.bytes);
    expect(explanation.plannedBytes).toBeLessThan(size);
    expect(explanation.answerBytes).toBeLessThan(1.1 * (explanation.minimalBytes ?? 0));
  });

  test('plans unfiltered chunks with a longer result', async () => {
    const exact = await explain('reads.bam', ['chr1:1,001-2,000'], { precision: 'exact' });
    const chunks = await explain('reads.bam', ['chr1:1,001-2,000'], { precision: 'chunks' });
    expect(chunks.segments[1]?.filteredTo).toBeUndefined();
    expect(chunks.minimalBytes).toBe(exact.minimalBytes);
    expect(chunks.answerBytes).toBeGreaterThan(exact.answerBytes ?? Infinity);
  });

  test('plans BAM of a CRAM as containers to decode, and reports their cost', async () => {
    const reference = fixturePath('genome.fa');
    const explanation = await explain('referenced/reads.cram', ['chr2'], { format: 'BAM', reference });
    const [header, body, eof] = explanation.segments;
    expect([header?.kind, body?.kind, eof?.kind]).toEqual(['inline', 'convert', 'inline']);
    expect(explanation).toMatchObject({ format: 'BAM', convertedFrom: 'CRAM', convertedBytes: body?.bytes });
    expect(explanation.answerBytes).toBeLessThan(1.1 * (explanation.minimalBytes ?? 0));
    expect(formatExplanation(explanation)).toMatch(/^converted: [\d,]+ bytes of CRAM are decoded to BAM$/m);
    await expect(explain('referenced/reads.cram', ['chr2'], { format: 'BAM' })).rejects.toThrow(
      'whose reference "chr2" (MD5 61bf7480e9f16c5616852b3317c7e9ec) is not available here',
    );
  });

  test('plans whole containers of a CRAM', async () => {
    const { segments, plannedBytes, answerBytes, inlineBytes, ...rest } = await explain('reads.cram', ['chr2']);
    expect(segments.map(({ kind }) => kind)).toEqual(['inline', 'range', 'inline']);
    expect(answerBytes).toBe(plannedBytes + inlineBytes);
    expect(rest).not.toHaveProperty('minimalBytes');
  });

  test('plans a VCF as text, and its header without an index', async () => {
    const text = await explain('variants.vcf.gz', ['chr2:5'], { format: 'VCFTEXT' });
    expect(text.segments.map(({ kind }) => kind)).toEqual(['inline', 'cut']);
    expect(text.regions).toEqual([{ referenceName: 'chr2', start: 4 }]);
    const header = await explain('variants.vcf.gz', ['chr2:5'], { isHeaderOnly: true });
    expect(header).toMatchObject({ plannedBytes: 0, answerBytes: header.inlineBytes });
    expect(header).not.toHaveProperty('index');
  });

  test('indexes a file without an index, whatever its name', async () => {
    const path = join(scratch, 'data');
    copyFileSync(fixturePath('variants.bcf'), path);
    const built = await explainFile(path, { regions: ['chr1:5-900'], isHeaderOnly: false, precision: 'auto' });
    expect(built).toMatchObject({ format: 'BCF', index: 'built' });
    expect(built.segments).toEqual((await explain('variants.bcf', ['chr1:5-900'])).segments);
  });

  test('accepts a.bai as the index of a.bam', async () => {
    copyFileSync(fixturePath('reads.bam'), join(scratch, 'a.bam'));
    copyFileSync(fixturePath('reads.bam.bai'), join(scratch, 'a.bai'));
    const { index } = await explainFile(join(scratch, 'a.bam'), {
      regions: ['chr1'],
      isHeaderOnly: false,
      precision: 'auto',
    });
    expect(index).toBe(join(scratch, 'a.bai'));
  });

  test('prefers a whole reference name to a name with a range', async () => {
    const name = 'HLA-A*01:01:01:01';
    expect((await explain('reads.bam', [name])).regions).toEqual([{ referenceName: name }]);
    expect((await explain('reads.bam', [`${name}:7-9`])).regions).toEqual([{ referenceName: name, start: 6, end: 9 }]);
  });

  test('counts a block that two cuts share once', async () => {
    const { segments, plannedBytes, inlineBytes } = await explain('reads.bam', ['chrM', '*']);
    const [header, chrM, unplaced, eof] = segments;
    expect(unplaced?.byteStart).toBeLessThan(chrM?.byteEnd ?? 0);
    expect(plannedBytes).toBe((unplaced?.byteEnd ?? 0) - (chrM?.byteStart ?? 0));
    expect(inlineBytes).toBe((header?.bytes ?? 0) + (eof?.bytes ?? 0));
    const apart = await explain('straddle.bam', ['chrM', '*']);
    expect(apart.plannedBytes).toBe((apart.segments[1]?.bytes ?? 0) + (apart.segments[2]?.bytes ?? 0));
  });

  test('takes the references of a VCF without contigs from its index', async () => {
    const path = join(scratch, 'a.vcf.gz');
    const columns = '##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n';
    const records = ['a', 'a:1-9', 'b:1'].map((name) => `${name}\t5\t.\tA\tC\t.\t.\t.\n`);
    const blocks = deflateBlocks(new TextEncoder().encode(columns + records.join('')));
    writeFileSync(path, Buffer.concat([blocks, EOF_MARKER]));
    const explainRegions = async (...regions: string[]): Promise<unknown> =>
      (await explainFile(path, { regions, isHeaderOnly: false, precision: 'auto' })).regions;
    expect(await explainRegions('{a}:1-9', '{a:1-9}', 'b:1')).toEqual([
      { referenceName: 'a', start: 0, end: 9 },
      { referenceName: 'a:1-9' },
      { referenceName: 'b:1' },
    ]);
    await expect(explainRegions('a:1-9')).rejects.toThrow('"a:1-9" is ambiguous');
    await expect(explainRegions('b')).rejects.toThrow('unknown reference "b"');
  });

  test('reports impossible queries', async () => {
    await expect(explain('reads.bam', ['chr1:5-3'])).rejects.toThrow(RegionError);
    await expect(explain('reads.bam', ['nothing'])).rejects.toThrow('unknown reference "nothing"');
    await expect(explain('reads.bam', [], { format: 'CRAM' })).rejects.toThrow('a BAM file cannot be answered as CRAM');
    await expect(explain('genome.fa', [])).rejects.toThrow('neither BAM, CRAM, bgzipped VCF nor BCF');
    await expect(explain('nothing.bam', [])).rejects.toThrow(/ENOENT/);
  });
});

test('formatExplanation prints a table and totals', async () => {
  const lines = formatExplanation(await explain('reads.bam', ['chr1:1,001-2,000', '*'])).split('\n');
  expect(lines[0]).toMatch(/reads\.bam: BAM$/);
  expect(lines[1]).toBe('regions: chr1:1,001-2,000 *');
  expect(lines[3]).toMatch(/^ {3}kind {4}class +byte range +bytes {2}records$/);
  expect(lines[5]).toMatch(/^2 {2}cut +body +[\d,]+-[\d,]+ +[\d,]+ {2}chr1:1,001-2,000$/);
  expect(lines[6]).toMatch(/^3 {2}cut +body +[\d,]+-[\d,]+ +[\d,]+ {2}all$/);
  expect(lines[9]).toMatch(/^precision: auto, index: .*reads\.bam\.bai$/);
  expect(lines[10]).toMatch(/^planned: [\d,]+ of 323,817 bytes \([\d.]+ %\), plus [\d,]+ inline$/);
  expect(lines[11]).toMatch(/^result: [\d,]+ bytes, 1\.0\d times the smallest file with the same records \([\d,]+\)$/);
});
