import { describe, expect, test } from 'vitest';
import { runCommand } from '../run-command.js';
import { expectedReports, linesOf, md5Of, serveTwice, writeFasta } from './check-hostile-fasta.js';
import { HOSTILE_FASTA } from './hostile-fasta.js';

describe.each(HOSTILE_FASTA)('a FASTA with $what', (fasta) => {
  const { records } = fasta;
  const code = records.length === 0 ? 1 : 0;

  test('has the expected answer of htskit digest', async () => {
    const { path, flags } = writeFasta(fasta);
    const result = await runCommand(['digest', ...flags, path]);
    const found = linesOf(result.stdout).map((line) => line.split('\t').slice(0, 3));
    expect(found).toEqual(records.map(([name, bases]) => [name, String(bases.length), md5Of(bases)]));
    expect(linesOf(result.stderr)).toEqual(expectedReports(fasta));
    expect(result.code).toBe(code);
    const json = await runCommand(['digest', '--json', ...flags, path]);
    const parsed = JSON.parse(json.stdout) as { name: string; omitted?: object }[];
    expect(parsed.map(({ name }) => name)).toEqual(records.map(([name]) => name));
    const omitting = fasta.reports.filter((report) => report.source.includes('holds')).length;
    expect(parsed.filter(({ omitted }) => omitted !== undefined)).toHaveLength(records.length === 0 ? 0 : omitting);
  });

  test('has the expected answer of htskit serve without a cache folder', async () => {
    const reports = expectedReports(fasta);
    expect(await serveTwice(fasta, false)).toEqual([reports, reports]);
  });
});
