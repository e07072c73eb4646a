import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath } from '@htskit/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { type Call, installPysam, judge, PYSAM_VERSION } from '../agreement/judge.js';
import { runCommand } from '../run-command.js';

const scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
// Skipped without a package registry of Python, also where CI is set: not every CI reaches one.
const python = await installPysam(scratch);
afterAll(() => rmSync(scratch, { recursive: true }));

const FILES = [
  'reads.bam',
  'straddle.bam',
  'empty.bam',
  'unmapped-only.bam',
  'reads.cram',
  'multiref.cram',
  'v31.cram',
];
const BED = join(scratch, 'some.bed');
writeFileSync(BED, 'chr1\t1000\t3000\nchr1\t2500\t2600\nchr1\t40000\t40010\nchr2\t0\t500\n');
const OPTIONS: readonly (readonly string[])[] = [
  [],
  ['-a'],
  ['-aa', '-q', '15'],
  ['-J', '-Q', '20'],
  ['-q', '15', '-J', '-G', '0x10'],
  ['-b', BED],
];

describe.skipIf(python === undefined)(`the samtools of pysam ${PYSAM_VERSION} prints the depths of htskit`, () => {
  test.each(FILES)('%s', async (name) => {
    const path = fixturePath(name);
    const genome = fixturePath('genome.fa');
    const calls = OPTIONS.map((options): Call => ['samtools', 'depth', '--reference', genome, ...options, path]);
    const [expected = []] = await judge(python ?? '', scratch, [calls]);
    for (const [index, options] of OPTIONS.entries()) {
      const { code, stdout, stderr } = await runCommand(['depth', path, ...options, '-T', genome]);
      expect([code, stderr], options.join(' ')).toEqual([0, '']);
      // A difference of long texts takes minutes to print.
      expect(stdout.length, options.join(' ')).toBe(expected[index]?.length);
      expect(stdout === expected[index], options.join(' ')).toBe(true);
    }
  });
});
