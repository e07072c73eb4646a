import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { fixturePath, readFixture } from '@htskit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { type CommandResult, runCommand } from '../../run-command.js';

const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
if (!existsSync(cli)) throw new Error('these tests run the built command: build first');

interface ExpectedSequence {
  readonly name: string;
  readonly description: string;
  readonly length: number;
  readonly md5: string;
  readonly sha512t24u: string;
  readonly trunc512: string;
}

function expectedSequences(name: string): readonly ExpectedSequence[] {
  const { sequences } = JSON.parse(readFileSync(fixturePath(`expected/${name}.json`), 'utf8')) as {
    sequences: ExpectedSequence[];
  };
  return sequences;
}

function toLines(sequences: readonly ExpectedSequence[]): string {
  return sequences
    .map(({ name, length, md5, sha512t24u, trunc512 }) => `${[name, length, md5, sha512t24u, trunc512].join('\t')}\n`)
    .join('');
}

async function digest(...args: string[]): Promise<CommandResult> {
  return runCommand(['digest', ...args]);
}

/** Runs `htskit digest` in a process of its own, with its stdin. */
async function digestWithInput(input: Uint8Array, ...args: string[]): Promise<{ code: number; stdout: string }> {
  const child = spawn(process.execPath, [cli, 'digest', ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input);
  const closed = once(child, 'close') as Promise<[number]>;
  const [stdout, [code]] = await Promise.all([text(child.stdout), closed]);
  return { code, stdout };
}

test.each(['genome.fa', 'genome.fa.gz', 'crlf.fa'])('prints the expected digests of %s', async (name) => {
  const expected = expectedSequences(name);
  expect(expected.length).toBeGreaterThan(0);
  expect(await digest(fixturePath(name))).toEqual({ code: 0, stdout: toLines(expected), stderr: '' });
});

test('digests several files, with gzip from stdin', async () => {
  const { code, stdout } = await digestWithInput(gzipSync(readFixture('genome.fa')), fixturePath('crlf.fa'), '-');
  expect(code).toBe(0);
  expect(stdout).toBe(toLines([...expectedSequences('crlf.fa'), ...expectedSequences('genome.fa')]));
});

test.skipIf(process.platform === 'win32')('digests what a pipe delivers, such as that of <(zcat FILE)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-digest-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const [result] = await Promise.all([digest(pipe), writeFile(pipe, readFixture('genome.fa'))]);
  expect(result).toEqual({ code: 0, stdout: toLines(expectedSequences('genome.fa')), stderr: '' });
});

test('prints the files with --json', async () => {
  const paths = [fixturePath('genome.fa'), fixturePath('crlf.fa')];
  const { code, stdout } = await digest('--json', ...paths);
  expect(code).toBe(0);
  const parsed = JSON.parse(stdout) as unknown[];
  const expected = ['genome.fa', 'crlf.fa'].flatMap((name) =>
    expectedSequences(name).map(({ name: sequence, description, length, md5, sha512t24u, trunc512 }) => {
      return { file: fixturePath(name), name: sequence, description, length, md5, sha512t24u, trunc512 };
    }),
  );
  expect(parsed).toEqual(expected);
});

test('exits with 1 for a malformed file, after the digests before it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-digest-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'cut.fa.gz'), gzipSync(readFixture('genome.fa')).subarray(0, 5000));
  for (const path of [join(folder, 'nothing.fa'), join(folder, 'cut.fa.gz'), fixturePath('reads.cram'), folder]) {
    const { code, stdout, stderr } = await digest(fixturePath('crlf.fa'), path);
    expect([code, stdout]).toEqual([1, toLines(expectedSequences('crlf.fa'))]);
    expect(stderr).toMatch(/^htskit: [^\n]+\n$/);
    expect(stderr.startsWith(`htskit: ${path}: `)).toBe(true);
    expect(stderr.split(path)).toHaveLength(2);
  }
});

test('escapes control characters in names', async () => {
  const { stdout } = await digestWithInput(Buffer.from('>a\u001b[31m\nACGT\n'), '-');
  expect(stdout).toMatch(/^a\\u001b\[31m\t4\t/);
});

test.each([
  ['no file', []],
  ['stdin twice', ['-', '-']],
  ['an unknown option', ['--all', 'a.fa']],
])('rejects %s as a usage error', async (_, args) => {
  const { code, stdout, stderr } = await digest(...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^error: /);
});

test('SIGINT ends it by that signal while it waits for stdin', async () => {
  const child = spawn(process.execPath, [cli, 'digest', fixturePath('crlf.fa'), '-']);
  const closed = once(child, 'close');
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  expect(await closed).toEqual([null, 'SIGINT']);
});

test('refuses a bgzipped FASTA without its EOF marker, and a FASTA that is shorter than its index says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-digest-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const compressed = readFixture('genome.fa.gz');
  const plain = readFixture('genome.fa');
  const cases: readonly (readonly [Record<string, Uint8Array>, RegExp])[] = [
    [{ 'a.fa.gz': compressed.subarray(0, -28) }, /a\.fa\.gz: .*EOF marker is missing/],
    [
      { 'b.fa.gz': compressed.subarray(0, 40_000), 'b.fa.gz.gzi': readFixture('genome.fa.gz.gzi') },
      /b\.fa\.gz: truncated, or its \.gzi is of another file/,
    ],
    [
      { 'c.fa': plain.subarray(0, 100_000), 'c.fa.fai': readFixture('genome.fa.fai') },
      /c\.fa: truncated, or its \.fai is of another file/,
    ],
    [{ 'd.fa.gz': gzipSync(plain).subarray(0, -20) }, /d\.fa\.gz: .*incomplete/],
  ];
  for (const [files, message] of cases) {
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
    const { code, stderr } = await digest(join(folder, Object.keys(files)[0] ?? ''));
    expect(stderr).toMatch(message);
    expect(code).toBe(1);
  }
});

test('names a folder, a store and a missing file, and continues with the next file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-digest-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = (name: string): string => join(folder, name);
  await runCommand(['refget', 'import', fixturePath('crlf.fa'), '--store', path('store')]);
  await runCommand(['refget', 'export', path('store'), '--format', 'rgstore', '-o', path('rgstore')]);
  const failing = [folder, path('store'), path('rgstore'), path('none.fa'), fixturePath('reads.cram')];
  for (const flags of [['--json'], ['--json', '--collection']]) {
    const { code, stdout, stderr } = await digest(
      ...flags,
      fixturePath('genome.fa'),
      ...failing,
      fixturePath('crlf.fa'),
    );
    const files = (JSON.parse(stdout) as { readonly file: string }[]).map(({ file }) => file);
    expect([...new Set(files)]).toEqual([fixturePath('genome.fa'), fixturePath('crlf.fa')]);
    expect(code).toBe(1);
    expect(stderr.split('\n').slice(0, 4)).toEqual([
      `htskit: ${folder}: is a folder; name the FASTA files in it`,
      `htskit: ${path('store')}: is a sequence store; htskit refget list prints its collections, htskit refget export its digests`,
      `htskit: ${path('rgstore')}: is a RefgetStore; htskit ls prints its sequences`,
      `htskit: ${path('none.fa')}: no such file or folder`,
    ]);
  }
});

test('prints the collection of each file with --collection, as a store lists it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-digest-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const paths = [fixturePath('genome.fa.gz'), fixturePath('crlf.fa')];
  await runCommand(['refget', 'import', ...paths, '--store', join(folder, 'store')]);
  const listed = JSON.parse((await runCommand(['refget', 'list', '--json', join(folder, 'store')])).stdout) as {
    readonly digest: string;
    readonly length: number;
    readonly attributes: Readonly<Record<string, string>>;
  }[];
  const found = JSON.parse((await digest('--collection', '--json', ...paths)).stdout) as typeof listed;
  expect(found).toHaveLength(2);
  for (const { digest: collection, length, attributes } of found) {
    expect(listed).toContainEqual({ digest: collection, length, attributes });
  }
  const lines = found.flatMap(({ digest: collection, attributes }, index) =>
    Object.entries({ collection, ...attributes }).map(([name, value]) => `${paths[index]}\t${name}\t${value}\n`),
  );
  expect(await digest('--collection', ...paths)).toEqual({ code: 0, stdout: lines.join(''), stderr: '' });
});

test('reports a file without sequences with --collection', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-digest-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'empty.fa');
  writeFileSync(path, '');
  expect(await digest('--collection', '--json', path)).toEqual({
    code: 1,
    stdout: '[]\n',
    stderr: `htskit: ${path}: there are no sequences, so there is no collection\n`,
  });
});
