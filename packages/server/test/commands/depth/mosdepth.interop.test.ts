import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { areInstalled, fixturePath } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../run-command.js';

/** Means of as many bases have two decimals at most, which is what mosdepth prints. */
const BIN_BASES = 100;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  // Debian's mosdepth loads libhts.so, a name that only the package for developers has.
  const library = findLibrary();
  if (library !== undefined) symlinkSync(library, join(folder, 'libhts.so'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function findLibrary(): string | undefined {
  const folders = readdirSync('/usr/lib').filter((name) => name.endsWith('-linux-gnu'));
  return folders.map((name) => join('/usr/lib', name, 'libhts.so.3')).find((path) => existsSync(path));
}

/**
 * Copies a fixture without the flag of proper pairs. Of these, mosdepth compares the bases where both reads overlap. Its fast mode does
 * not, but counts what CIGARs skip.
 */
function copyWithoutPairs(name: string): string {
  const path = join(folder, name);
  const [reference, format] = name.endsWith('.cram') ? [['-T', fixturePath('genome.fa')], '-C'] : [[], '-b'];
  const options = ['view', '--remove-flags', 'PROPER_PAIR', '--write-index', format, '-o', path];
  execFileSync('samtools', [...options, ...reference, fixturePath(name)], { stdio: 'pipe' });
  return path;
}

/** Runs mosdepth, and returns the fields of the lines of a file that it writes. */
function mosdepth(path: string, options: readonly string[], suffix: string): string[][] {
  const prefix = join(folder, 'depth');
  const reference = path.endsWith('.cram') ? ['-f', fixturePath('genome.fa')] : [];
  const environment = { ...process.env, LD_LIBRARY_PATH: folder };
  execFileSync('mosdepth', [...options, ...reference, prefix, path], { env: environment, stdio: 'pipe' });
  return toFields(gunzipSync(readFileSync(`${prefix}.${suffix}.bed.gz`)).toString());
}

async function depthFields(path: string, options: readonly string[]): Promise<string[][]> {
  const reference = path.endsWith('.cram') ? ['-T', fixturePath('genome.fa')] : [];
  const { code, stdout } = await runCommand(['depth', path, ...options, ...reference], folder);
  expect(code).toBe(0);
  return toFields(stdout);
}

function toFields(text: string): string[][] {
  return text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t'));
}

describe
  .skipIf(!areInstalled('mosdepth'))
  .each(['reads.bam', 'straddle.bam', 'unmapped-only.bam', 'reads.cram', 'multiref.cram', 'v31.cram'])('%s', (name) => {
  let path = '';
  beforeAll(() => {
    path = copyWithoutPairs(name);
  });

  test('has at each base the depth that mosdepth prints', async () => {
    const expected = mosdepth(path, [], 'per-base').flatMap(([reference = '', start, end, depth]) =>
      Array.from({ length: Number(end) - Number(start) }, (_, i) => `${reference} ${Number(start) + i + 1} ${depth}`),
    );
    const found = (await depthFields(path, ['-aa'])).map((fields) => fields.join(' '));
    expect(found.length).toBe(expected.length);
    expect(found.find((line, i) => line !== expected[i])).toBeUndefined();
  });

  test('has in each bin the mean depth that mosdepth prints', async () => {
    const bins = mosdepth(path, ['-n', '--by', String(BIN_BASES)], 'regions');
    const expected = bins.filter(([, , , mean]) => Number(mean) > 0).map((fields) => fields.join(' '));
    const found = await depthFields(path, ['--bin', String(BIN_BASES)]);
    expect(
      found.map(([reference, start, end, mean]) => `${reference} ${start} ${end} ${Number(mean).toFixed(2)}`),
    ).toEqual(expected);
  });
});
