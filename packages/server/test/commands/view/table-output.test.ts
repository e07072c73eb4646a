import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAlignments } from '@htskit/records';
import { expectations, fixturePath } from '@htskit/testing';
import { tableFromIPC } from 'apache-arrow';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandResult, runBinaryCommand } from '../../run-command.js';

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

  test.each(['arrow', 'parquet'])('writes a file without reads as %s with all columns', async (format) => {
    const { stdout } = await view('empty.bam', '-O', format);
    expect(format === 'arrow' ? arrowRows(stdout) : await parquetRows(stdout)).toEqual([]);
    expect(stdout.toString('latin1')).toContain('mateReference');
  });

  test.each([
    [['variants.vcf.gz', '-O', 'arrow'], 'VCF cannot be written as arrow'],
    [['reads.bam', '-O', 'parquet', '--with-header'], 'parquet holds no header'],
    [['reads.bam', '-O', 'arrow', '-H'], 'arrow holds no header'],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await view(...args);
    expect([code, stdout.length]).toEqual([2, 0]);
    expect(stderr).toContain(message);
  });
});
