import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { s3ObjectStore } from '@htskit/storage/s3';
import { fixturePath, readFixture } from '@htskit/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { prepareLocations } from '../../../src/commands/prepare/prepare-locations.js';
import { checksumFolder } from '../../../src/runtime/checksums/checksum-folder.js';
import type { TestBucket } from '../../bucket.js';
import { type CommandResult, runCommand } from '../../run-command.js';
import { copyFiles, expectIndex, FILES, fillBucket, fixtureOf, INDEXES, objectsOf } from './prepare-files.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-prepare-test-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  vi.unstubAllEnvs();
});

/** Runs `htskit prepare` in the folder, and sorts its lines. */
async function prepare(...args: string[]): Promise<CommandResult & { readonly lines: readonly string[] }> {
  const result = await runCommand(['prepare', ...args], folder);
  return { ...result, lines: result.stdout.split('\n').slice(0, -1).toSorted() };
}

function expectIndexes(read: (name: string) => Uint8Array | undefined): void {
  for (const name of INDEXES) expectIndex(name, read(name));
}

function linesOf(outcome: string, toName: (name: string) => string): string[] {
  return Object.keys(FILES)
    .map((name) => `${outcome}\t${toName(name)}\tindex`)
    .toSorted();
}

describe('htskit prepare of a folder', () => {
  test('writes the same indexes as the tools, and keeps them in a second run', async () => {
    copyFiles(folder);
    const inFolder = (name: string): string => join(folder, name);
    const first = await prepare('.');
    expect(first).toMatchObject({ code: 0, stderr: '7 made, 0 current, 0 failed\n' });
    expect(first.lines).toEqual(linesOf('made', inFolder));
    expectIndexes((name) => readFileSync(join(folder, name)));
    const second = await prepare('.');
    expect(second).toMatchObject({ code: 0, stderr: '0 made, 7 current, 0 failed\n' });
    expect(second.lines).toEqual(linesOf('current', inFolder));
    expect(readdirSync(join(folder, '.partial'))).toEqual([]);
  });

  test('makes coverage and digests that a server takes for current', async () => {
    copyFiles(folder, ['reads.bam', 'v31.cram']);
    writeFileSync(join(folder, 'long.fa'), `>long\n${`${'ACGT'.repeat(20)}\n`.repeat(60_000)}`);
    const kinds = ['--coverage', '--digests', '--index', '-T', fixturePath('genome.fa')];
    const lines = [
      `made\t${folder}/long.fa\tindex,digests`,
      `made\t${folder}/reads.bam\tindex,coverage`,
      `made\t${folder}/v31.cram\tindex,coverage`,
    ];
    expect((await prepare('.', ...kinds)).lines).toEqual(lines);
    expect((await prepare('.', ...kinds)).lines).toEqual(lines.map((line) => line.replace('made', 'current')));
    const alone = await runCommand(['index', '--coverage', '-o', 'other.bw', 'reads.bam'], folder);
    expect(alone.stdout).toBe('other.bw\n');
    const [made, other] = ['reads.bam.coverage.bw', 'other.bw'].map((name) => readFileSync(join(folder, name)));
    expect(made?.equals(other ?? Buffer.of())).toBe(true);
  });

  test('names each damaged file with the reason, prepares the others, and exits with 1', async () => {
    const names = Object.keys(FILES);
    copyFiles(folder);
    for (const name of names) {
      const bytes = readFixture(fixtureOf(name));
      writeFileSync(join(folder, `damaged-${fixtureOf(name)}`), bytes.subarray(0, bytes.length >> 1));
      writeFileSync(join(folder, `other-${fixtureOf(name)}`), 'no such format\n');
    }
    const { code, lines, stderr } = await prepare('.', '--report', 'report.jsonl');
    expect(code).toBe(1);
    const failed = lines.filter((line) => line.startsWith('failed\t'));
    const failedNames = failed.map((line) => line.split('\t')[1]?.slice(folder.length + 1));
    // Half of a plain FASTA is a FASTA.
    const expected = names.flatMap((name) => [`damaged-${fixtureOf(name)}`, `other-${fixtureOf(name)}`]);
    expect(failedNames).toEqual(expected.filter((name) => name !== 'damaged-genome.fa').toSorted());
    for (const line of failed) expect(line).toMatch(/^failed\t[^\t]+\tindex: [^\t]{5,}$/);
    expect(stderr).toBe('8 made, 0 current, 13 failed\n');
    const report = readFileSync(join(folder, 'report.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(report).toHaveLength(22);
    expect(report.at(-1)).toEqual({ summary: { made: 8, current: 0, failed: 13 } });
    expect(report.filter((entry) => 'outcome' in entry && entry.outcome === 'failed')).toHaveLength(13);
  });

  test('makes an index anew if the file is younger, and prefers it to an old one of another name', async () => {
    copyFiles(folder, ['reads.bam']);
    writeFileSync(join(folder, 'reads.bai'), 'outdated');
    utimesSync(join(folder, 'reads.bai'), 1, 1);
    expect((await prepare('.')).lines).toEqual([`made\t${folder}/reads.bam\tindex`]);
    expect(readFileSync(join(folder, 'reads.bam.bai')).equals(readFixture('reads.bam.bai'))).toBe(true);
    writeFileSync(join(folder, 'reads.bam'), readFixture('straddle.bam'));
    const later = Date.now() / 1000 + 10;
    utimesSync(join(folder, 'reads.bam'), later, later);
    expect((await prepare('.')).lines).toEqual([`made\t${folder}/reads.bam\tindex`]);
    expect(readFileSync(join(folder, 'reads.bam.bai')).equals(readFixture('straddle.bam.bai'))).toBe(true);
  });

  test('prepares single files, and files whose names no bucket would hold', async () => {
    copyFiles(folder, ['reads.bam']);
    const name = 'a copy (1) é.bam';
    writeFileSync(join(folder, name), readFixture('straddle.bam'));
    mkdirSync(join(folder, 'empty'));
    expect((await prepare(name, 'empty')).lines).toEqual([`made\t${folder}/${name}\tindex`]);
    expect((await prepare('.')).lines).toEqual([
      `current\t${folder}/${name}\tindex`,
      `made\t${folder}/reads.bam\tindex`,
    ]);
  });

  test('shares are disjoint, and together all files', async () => {
    copyFiles(folder);
    const lines: string[] = [];
    for (const index of ['0', '1', '2']) {
      vi.stubEnv('JOB_COMPLETION_INDEX', index);
      lines.push(...(await prepare('.', '--shares', '3')).lines);
    }
    expect(lines.toSorted()).toEqual(linesOf('made', (name) => join(folder, name)));
    expect((await prepare('.', '--share', '2/3')).lines.every((line) => line.startsWith('current'))).toBe(true);
  });

  test('refuses shares without an index, other locations, and reports that it cannot write', async () => {
    expect(await prepare('.', '--shares', '3')).toMatchObject({ code: 2 });
    vi.stubEnv('JOB_COMPLETION_INDEX', '3');
    expect((await prepare('.', '--shares', '3')).code).toBe(2);
    expect((await prepare('.', '--share', '3/3')).code).toBe(2);
    expect(await prepare('.', '--report', 'missing/report')).toMatchObject({ code: 1, stdout: '' });
    copyFiles(folder, ['reads.bam']);
    const { code, stderr, lines } = await prepare('missing', 'https://data.example.org/a', '.');
    expect([code, lines]).toEqual([1, [`made\t${folder}/reads.bam\tindex`]]);
    expect(stderr).toContain('htskit: missing: ');
    expect(stderr).toContain('"https://data.example.org/a" is not a folder or s3://BUCKET/PREFIX');
    expect(stderr).toContain('1 made, 0 current, 2 failed\n');
  });
});

describe('htskit prepare of a bucket', () => {
  let bucket: TestBucket;
  beforeEach(async () => {
    bucket = await fillBucket();
  });
  afterEach(() => bucket.server.close());

  const inBucket = (name: string): string => `s3://bucket/${name}`;
  const put = (key: string, bytes: Uint8Array): Promise<void> =>
    s3ObjectStore({ ...bucket.s3, bucket: bucket.server.bucket }).put(key, bytes);

  test('writes the same indexes as the tools, and keeps them in a second run', async () => {
    const first = await prepare('s3://bucket', '--coverage', '--index', '-T', fixturePath('genome.fa'));
    expect(first).toMatchObject({ code: 0, stderr: '7 made, 0 current, 0 failed\n' });
    const objects = await objectsOf(bucket);
    expectIndexes((name) => objects.get(name));
    expect([...objects.keys()].filter((key) => key.endsWith('.bw')).toSorted()).toEqual([
      'deep/longref.bam.coverage.bw',
      'reads.bam.coverage.bw',
      'v31.cram.coverage.bw',
    ]);
    bucket.requests.length = 0;
    const second = await prepare('s3://bucket', '--coverage', '--index');
    expect(second).toMatchObject({ code: 0, stderr: '0 made, 7 current, 0 failed\n' });
    expect(bucket.requests.filter((request) => !request.startsWith('HEAD ') && request !== 'GET ')).toEqual([]);
    expect(await objectsOf(bucket)).toEqual(objects);
  });

  test('computes the checksums of files once for each version, where a server looks for them', async () => {
    const cache = join(folder, 'cache');
    const args = ['s3://bucket/reads.bam', '--checksums', '--cache', cache];
    expect((await prepare(...args)).lines).toEqual([`made\t${inBucket('reads.bam')}\tchecksums`]);
    expect((await prepare(...args)).lines).toEqual([`current\t${inBucket('reads.bam')}\tchecksums`]);
    const source = s3ObjectStore({ ...bucket.s3, bucket: bucket.server.bucket }).source('reads.bam');
    const { version } = await source.stat();
    const md5 = createHash('md5').update(readFixture('reads.bam')).digest('hex');
    const checksums = await checksumFolder(cache).load(`${source.key}\n${version}`);
    expect(checksums?.find(({ type }) => type === 'md5')?.checksum).toBe(md5);
    expect((await prepare('s3://bucket/reads.bam', '--checksums')).lines).toEqual([
      `failed\t${inBucket('reads.bam')}\tchecksums: the folder of checksums is not set; use --cache DIR`,
    ]);
  });

  test('prepares the objects below a prefix, and a single one', async () => {
    expect((await prepare('s3://bucket/deep')).lines).toEqual(
      ['deep/longref.bam', 'deep/variants.vcf.gz'].map((name) => `made\t${inBucket(name)}\tindex`),
    );
    expect((await prepare('s3://bucket/reads.bam')).lines).toEqual([`made\t${inBucket('reads.bam')}\tindex`]);
  });

  test('two runs at once keep what the other one has made', async () => {
    const lines: string[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const conditions: unknown[] = [];
    bucket.server.interfere = ({ method, message }) => {
      if (method === 'PUT') conditions.push(message.headers['if-none-match']);
      return undefined;
    };
    const flags = {
      index: true,
      coverage: false,
      digests: false,
      checksums: false,
      identity: [],
      jobs: 4,
      share: undefined,
    };
    const run = (): Promise<boolean> => prepareLocations(['s3://bucket'], flags, new AbortController().signal);
    expect(await Promise.all([run(), run()])).toEqual([false, false]);
    vi.restoreAllMocks();
    const made = lines.filter((line) => line.startsWith('made'));
    // Of the two indexes of the FASTA, each run may have written one.
    expect([7, 8]).toContain(made.length);
    expect(lines).toHaveLength(14);
    expect(conditions.length).toBeGreaterThan(8);
    expect(new Set(conditions)).toEqual(new Set(['*']));
    const objects = await objectsOf(bucket);
    expectIndexes((name) => objects.get(name));
  });

  test('an index of another version of the file is replaced, even if both are of the same second', async () => {
    bucket.server.now = () => 1_700_000_000_000;
    await put('reads.bam', readFixture('reads.bam'));
    await prepare('s3://bucket/reads.bam');
    await put('reads.bam', readFixture('straddle.bam'));
    expect((await prepare('s3://bucket/reads.bam')).lines).toEqual([`made\t${inBucket('reads.bam')}\tindex`]);
    const objects = await objectsOf(bucket);
    expect(objects.get('reads.bam.bai')?.equals(readFixture('straddle.bam.bai'))).toBe(true);
  });

  test('an index that another program wrote is kept while it is not older than the file', async () => {
    await put('reads.bam.csi', Uint8Array.of(1));
    expect((await prepare('s3://bucket/reads.bam')).lines).toEqual([`current\t${inBucket('reads.bam')}\tindex`]);
    bucket.server.now = () => Date.now() + 10_000;
    await put('reads.bam', readFixture('reads.bam'));
    expect((await prepare('s3://bucket/reads.bam')).lines).toEqual([`made\t${inBucket('reads.bam')}\tindex`]);
    const objects = await objectsOf(bucket);
    expect([
      objects.get('reads.bam.csi')?.length,
      objects.get('reads.bam.bai')?.equals(readFixture('reads.bam.bai')),
    ]).toEqual([1, true]);
  });

  test('an object that is replaced while it is read fails, and leaves no result', async () => {
    let isReplaced = false;
    bucket.server.interfere = ({ method, key }) => {
      if (method !== 'PUT' || key !== 'reads.bam.bai' || isReplaced) return undefined;
      isReplaced = true;
      void put('reads.bam', readFixture('straddle.bam'));
      return { status: 503, headers: {}, body: new Uint8Array() };
    };
    const { code, lines } = await prepare('s3://bucket/reads.bam');
    expect([code, lines]).toEqual([
      1,
      [`failed\t${inBucket('reads.bam')}\tindex: the file changed while it was read; try again`],
    ]);
    expect((await objectsOf(bucket)).has('reads.bam.bai')).toBe(false);
  });

  test('a bucket that does not exist fails', async () => {
    expect(await prepare('s3://other')).toMatchObject({ code: 1, stdout: '' });
  });
});
