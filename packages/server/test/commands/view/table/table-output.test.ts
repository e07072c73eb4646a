import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAlignments, openVariants } from '@htskit/records';
import { expectations, fixturePath } from '@htskit/testing';
import { tableFromIPC } from 'apache-arrow';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandResult, runBinaryCommand } from '../../../run-command.js';

const view = (...args: string[]): Promise<CommandResult<Buffer>> =>
  runBinaryCommand(['view', ...args], fixturePath('.'));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Row = Readonly<Record<string, unknown>>;

/** Returns the rows that a table of the reads of a file must have. */
async function expectedRows(name: string, minMapq = 0): Promise<Row[]> {
  const file = await openAlignments(fixturePath(name));
  const rows: Row[] = [];
  const nameOf = (id: number): string | null => file.references[id]?.name ?? null;
  for await (const read of file.records()) {
    if (read.mappingQuality < minMapq) continue;
    rows.push({
      names: read.name,
      flags: read.flags,
      reference: nameOf(read.referenceId),
      start: read.start,
      end: read.end,
      mappingQuality: read.mappingQuality,
      cigar: read.cigar.map(({ operation, length }) => length * 16 + 'MIDNSHP=X'.indexOf(operation)),
      mateReference: nameOf(read.mateReferenceId),
      mateStart: read.mateStart,
      templateLength: read.templateLength,
      sequence: read.sequence,
      qualities: read.qualities === undefined ? null : Array.from(read.qualities),
    });
  }
  await file.close();
  return rows;
}

function arrowRows(bytes: Uint8Array): Row[] {
  const rows = tableFromIPC(bytes).toArray() as { toJSON(): Row }[];
  return rows.map((row) => {
    const { cigar, qualities, ...rest } = row.toJSON();
    return { ...rest, cigar: numbersOf(cigar), qualities: numbersOf(qualities) };
  });
}

async function parquetRows(bytes: Uint8Array): Promise<Row[]> {
  const { buffer } = new Uint8Array(bytes);
  const rows = await parquetReadObjects({ file: buffer, utf8: false });
  return rows.map(({ cigar, qualities, ...rest }) => ({
    ...rest,
    cigar: numbersOf(cigar),
    qualities: numbersOf(qualities),
  }));
}

function numbersOf(values: unknown): number[] | null {
  return values === null || values === undefined ? null : Array.from(values as Iterable<number>);
}

/** Returns a row of variants with lists and structs as plain values. */
function toPlain({ alleles, info, ...row }: Row): Row {
  const fields = info as Row | undefined;
  const values = { ...fields, ...(fields !== undefined && 'AF' in fields && { AF: numbersOf(fields['AF']) }) };
  return { ...row, alleles: Array.from(alleles as Iterable<string>), ...(fields !== undefined && { info: values }) };
}

describe('view', () => {
  test('writes reads as a stream of Arrow and as Parquet', async () => {
    const expected = await expectedRows('reads.bam');
    expect(expected).toHaveLength(expectations('reads.bam').recordCount);
    expect(arrowRows((await view('reads.bam', '-O', 'arrow')).stdout)).toEqual(expected);
    expect(await parquetRows((await view('reads.bam', '-O', 'parquet')).stdout)).toEqual(expected);
  });

  test('writes the format that the name of the output states', async () => {
    const expected = await expectedRows('reads.bam', 30);
    const bytesOf = async (name: string): Promise<Uint8Array> => {
      const path = join(folder, name);
      const { code, stderr } = await view('reads.bam', '-q', '30', '-o', path);
      expect([code, stderr]).toEqual([0, '']);
      return readFileSync(path);
    };
    const file = await bytesOf('reads.arrow');
    expect(Buffer.from(file.subarray(0, 6)).toString()).toBe('ARROW1');
    expect(arrowRows(file)).toEqual(expected);
    const stream = await bytesOf('reads.arrows');
    expect(Buffer.from(stream.subarray(0, 6)).toString()).not.toBe('ARROW1');
    expect(arrowRows(stream)).toEqual(expected);
    expect(await parquetRows(await bytesOf('reads.parquet'))).toEqual(expected);
  });

  test.each(['reads.bam', 'empty.bam'])('writes the tags of %s as columns of their types', async (name) => {
    const file = await openAlignments(fixturePath(name));
    const expected: Row[] = [];
    for await (const read of file.records()) {
      const [NM, RG, XF, XJ] = ['NM', 'RG', 'XF', 'XJ'].map((tag) => read.tag(tag) ?? null);
      expected.push({ NM, RG, XF: XF === null ? null : Math.fround(Number(XF)), XJ: numbersOf(XJ) });
    }
    await file.close();
    const args = [name, '--tags', 'NM:i,RG:Z', '--tags', 'XF:f,XJ:B:f'];
    const tagsOf = ({ NM, RG, XF, XJ }: Row): Row => ({ NM, RG, XF, XJ: numbersOf(XJ) });
    const arrow = (await view(...args, '-O', 'arrow')).stdout;
    expect(arrowRows(arrow).map(tagsOf)).toEqual(expected);
    expect(
      tableFromIPC(arrow)
        .schema.fields.slice(-4)
        .map(({ name: field, type }) => `${field} ${String(type)}`),
    ).toEqual(['NM Int32', 'RG Utf8', 'XF Float32', 'XJ List<Float32>']);
    const { buffer } = new Uint8Array((await view(...args, '-O', 'parquet')).stdout);
    expect((await parquetReadObjects({ file: buffer })).map(tagsOf)).toEqual(expected);
  });

  test.each(['NM:Z', 'RG:i', 'NM:B:C', 'XF:i'])('fails for %s, of whose type a tag is not', async (tag) => {
    const { code, stderr } = await view('reads.bam', '-O', 'arrow', '--tags', tag);
    expect(code).toBe(1);
    expect(stderr).toMatch(/tag [A-Z]{2} has an? .* in some record, which .* does not hold/);
  });

  test.each(['variants.vcf.gz', 'variants.bcf', 'empty.bcf'])('writes %s as tables', async (name) => {
    const file = await openVariants(fixturePath(name));
    const expected: Row[] = [];
    for await (const record of file.records()) {
      expected.push({
        reference: record.referenceName,
        start: record.start,
        end: record.end,
        ids: record.id ?? null,
        alleles: [record.ref, ...record.alt],
        quality: record.quality ?? null,
        filters: record.filters?.join(';') ?? null,
        info: { DP: record.info('DP') ?? null, AF: numbersOf(record.info('AF')), DB: record.info('DB') === true },
      });
    }
    await file.close();
    const hasKeys = name !== 'empty.bcf';
    const args = [name, ...(hasKeys ? ['--tags', 'DP,AF,DB'] : [])];
    const arrow = tableFromIPC((await view(...args, '-O', 'arrow')).stdout);
    const rows = arrow.toArray().map((row) => toPlain((row as { toJSON(): Row }).toJSON()));
    expect(rows).toEqual(expected);
    const { buffer } = new Uint8Array((await view(...args, '-O', 'parquet')).stdout);
    expect((await parquetReadObjects({ file: buffer })).map(toPlain)).toEqual(expected);
    expect(arrow.schema.names).toEqual(
      ['reference', 'start', 'end', 'ids', 'alleles', 'quality', 'filters', 'info'].slice(0, hasKeys ? 8 : 7),
    );
  });

  test('selects the variants of regions, as for VCF', async () => {
    const { stdout } = await view('variants.vcf.gz', 'chr1:1000-9000', '-O', 'arrow');
    const text = (await view('-H', 'variants.vcf.gz', 'chr1:1000-9000')).stdout.toString().trimEnd().split('\n');
    const starts = Array.from(tableFromIPC(stdout).getChild('start') ?? [], (start) => `${Number(start) + 1}`);
    expect(starts).toEqual(text.map((line) => line.split('\t')[1]));
  });

  test.each(['arrow', 'parquet'])('writes a file without reads as %s with all columns', async (format) => {
    const { stdout } = await view('empty.bam', '-O', format);
    expect(format === 'arrow' ? arrowRows(stdout) : await parquetRows(stdout)).toEqual([]);
    expect(stdout.toString('latin1')).toContain('mateReference');
  });

  test.each([
    [['variants.vcf.gz', '-O', 'arrow', '--with-header'], 'arrow holds no header; choose VCF or BCF'],
    [['variants.bcf', '-O', 'parquet', '-h'], 'parquet holds no header'],
    [['variants.bcf', '-O', 'parquet', '--tags', 'DP,XX'], 'the BCF header declares no INFO "XX"'],
    [['variants.bcf', '-O', 'parquet', '--tags', 'GT'], 'the BCF header declares no INFO "GT"'],
    [['reads.bam', '-O', 'parquet', '--tags', 'NM'], 'expected a tag with its type'],
    [['reads.bam', '-O', 'parquet', '--tags', 'NM:i,MD:q'], 'found "MD:q"'],
    [['reads.bam', '--tags', 'NM:i'], '--tags chooses columns of Arrow and Parquet'],
    [['reads.bam', '-O', 'parquet', '--with-header'], 'parquet holds no header'],
    [['reads.bam', '-O', 'arrow', '-H'], 'arrow holds no header'],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await view(...args);
    expect([code, stdout.length]).toEqual([2, 0]);
    expect(stderr).toContain(message);
  });
});
