import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fixturePath, installPythonPackages } from '@htskit/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { lines, runTool } from '../../interop-tools.js';
import { runBinaryCommand } from '../../run-command.js';

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

describe.skipIf(bin === undefined)('pyarrow', () => {
  test.each(['reads.arrow', 'reads.arrows', 'reads.parquet'])('reads from %s what samtools prints', async (name) => {
    const path = join(scratch, name);
    const { code, stderr } = await runBinaryCommand(['view', fixturePath('reads.bam'), '-o', path]);
    expect([code, stderr]).toEqual([0, '']);
    const output = execFileSync(join(bin ?? '', 'python'), [pathOf('read-table.py'), path], { maxBuffer: 1 << 28 });
    const expected = lines(await runTool(['samtools', 'view', fixturePath('reads.bam')])).map((line) => {
      const fields = line.split('\t');
      return [...fields.slice(0, 6), fields[9], fields[10]].join('\t');
    });
    expect((JSON.parse(output.toString()) as Row[]).map(samFields)).toEqual(expected);
  });
});
