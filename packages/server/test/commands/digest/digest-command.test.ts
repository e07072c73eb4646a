import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
