import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fixturePath, installPythonPackages } from '@htskit/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { lines, runTool } from '../../../interop-tools.js';
import { runBinaryCommand } from '../../../run-command.js';

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
// Skipped without a package registry of Python, also where CI is set: not every CI reaches one.
const bin = await installPythonPackages(join(scratch, 'python'), pathOf('pyarrow-requirements.txt'));
afterAll(() => rmSync(scratch, { recursive: true }));

interface Row {
  readonly names: string;
  readonly flags: number;
  readonly reference: string | null;
  readonly start: number;
  readonly mappingQuality: number;
  readonly cigar: readonly number[];
  readonly sequence: string;
  readonly qualities: readonly number[] | null;
}

/** Returns the fields of a row as samtools prints them. */
function samFields({ names, flags, reference, start, mappingQuality, cigar, sequence, qualities }: Row): string {
  const operations = cigar.map((operation) => `${operation >>> 4}${'MIDNSHP=X'[operation & 15]}`).join('');
  const scores = qualities?.map((score) => String.fromCharCode(score + 33)).join('');
  const place = [reference ?? '*', start + 1, mappingQuality, operations || '*'];
  return [names, flags, ...place, sequence || '*', scores ?? '*'].join('\t');
}

interface VariantRow {
  readonly reference: string;
  readonly start: number;
  readonly ids: string | null;
  readonly alleles: readonly string[];
  readonly filters: string | null;
  readonly info: { readonly DP: number | null; readonly AC: readonly number[] | null; readonly DB: boolean };
}

/** Returns the fields of a row as bcftools prints them. */
function queryFields({ reference, start, ids, alleles: [ref, ...alt], filters, info }: VariantRow): string {
  const values = [info.DP ?? '.', info.AC?.join(',') ?? '.', info.DB ? 1 : '.'];
  return [reference, start + 1, ids ?? '.', ref, alt.join(',') || '.', filters ?? '.', ...values].join('\t');
}

describe.skipIf(bin === undefined)('pyarrow', () => {
  const readTable = async (args: readonly string[], name: string): Promise<unknown> => {
    const path = join(scratch, name);
    const { code, stderr } = await runBinaryCommand(['view', ...args, '-o', path]);
    expect([code, stderr]).toEqual([0, '']);
    const output = execFileSync(join(bin ?? '', 'python'), [pathOf('read-table.py'), path], { maxBuffer: 1 << 28 });
    return JSON.parse(output.toString());
  };

  test.each(['reads.arrow', 'reads.arrows', 'reads.parquet'])('reads from %s what samtools prints', async (name) => {
    const expected = lines(await runTool(['samtools', 'view', fixturePath('reads.bam')])).map((line) => {
      const fields = line.split('\t');
      return [...fields.slice(0, 6), fields[9], fields[10]].join('\t');
    });
    expect(((await readTable([fixturePath('reads.bam')], name)) as Row[]).map(samFields)).toEqual(expected);
  });

  test.each(['tags.arrow', 'tags.parquet'])('reads from %s the tags that samtools prints', async (name) => {
    const expected = lines(await runTool(['samtools', 'view', fixturePath('reads.bam')])).map((line) =>
      ['NM:i:', 'RG:Z:'].map((tag) => line.split('\t').find((field) => field.startsWith(tag)) ?? ''),
    );
    const rows = (await readTable([fixturePath('reads.bam'), '--tags', 'NM:i,RG:Z'], name)) as {
      readonly NM: number | null;
      readonly RG: string | null;
    }[];
    const found = rows.map(({ NM, RG }) => [NM === null ? '' : `NM:i:${NM}`, RG === null ? '' : `RG:Z:${RG}`]);
    expect(found).toEqual(expected);
  });

  test.each([
    ['variants.vcf.gz', 'variants.arrow'],
    ['variants.vcf.gz', 'variants.parquet'],
    ['variants.bcf', 'variants.arrows'],
    ['variants.bcf', 'variants.parquet'],
  ])('reads what bcftools prints of %s from %s', async (source, name) => {
    const format = '%CHROM\\t%POS\\t%ID\\t%REF\\t%ALT\\t%FILTER\\t%DP\\t%AC\\t%DB\\n';
    const expected = lines(await runTool(['bcftools', 'query', '-f', format, fixturePath(source)]));
    const rows = (await readTable([fixturePath(source), '--tags', 'DP,AC,DB'], name)) as VariantRow[];
    expect(rows.map(queryFields)).toEqual(expected);
  });
});
