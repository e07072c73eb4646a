import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fixturePath } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../run-command.js';

const run = promisify(execFile);
const MAX_BUFFER = 2 ** 29;

/** Fixtures, and files of other programs. Those with bases past the end of a reference differ, as the README states. */
const external = process.env['HTSKIT_EXTERNAL_DATA'];
const fixtures = [
  'reads.bam',
  'straddle.bam',
  'empty.bam',
  'no-references.bam',
  'unmapped-only.bam',
  'reads.cram',
  'multiref.cram',
  'v21.cram',
  'v31.cram',
];
const others = external === undefined ? [] : readdirSync(external).filter((name) => /\.(?:bam|cram)$/.test(name));
const paths = [...fixtures.map(fixturePath), ...others.map((name) => join(external ?? '', name))];

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  writeFileSync(
    join(folder, 'some.bed'),
    'chr1\t1000\t3000\nchr1\t2500\t2600\nchr1\t40000\t40010\nchr2\t0\t500\n11\t4990000\t5010000\n',
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const OPTIONS: readonly (readonly string[])[] = [
  [],
  ['-J', '-Q', '20'],
  ['-q', '15'],
  ['-q', '15', '-J', '-G', 'REVERSE'],
  ['-b', 'some.bed'],
  ['-s'],
];

async function samtools(path: string, options: readonly string[]): Promise<string | undefined> {
  const reference =
    path.endsWith('.cram') && path.startsWith(fixturePath('.')) ? ['--reference', fixturePath('genome.fa')] : [];
  try {
    const { stdout } = await run('samtools', ['depth', ...options, ...reference, path], {
      cwd: folder,
      maxBuffer: MAX_BUFFER,
    });
    return stdout;
  } catch {
    return undefined;
  }
}

describe.each(paths)('%s', (path) => {
  const reference = path.startsWith(fixturePath('.')) ? ['-T', fixturePath('genome.fa')] : [];
  const isSmall = !path.includes('range') && !path.includes('NA12878');

  test.each([...OPTIONS, ...(isSmall ? [['-a'], ['-aa', '-q', '15']] : [])].map((options) => [options]))(
    'has the depths that samtools prints: %j',
    async (options) => {
      const expected = await samtools(path, options);
      const hasIndex = ['.bai', '.csi', '.crai'].some((extension) => existsSync(path + extension));
      if (expected === undefined || (!hasIndex && options.includes('-b'))) return;
      const { code, stdout, stderr } = await runCommand(['depth', path, ...options, ...reference], folder);
      expect([code, stderr]).toEqual([0, '']);
      // A difference of long texts takes minutes to print.
      expect(stdout.length).toBe(expected.length);
      expect(stdout === expected).toBe(true);
    },
  );
});
