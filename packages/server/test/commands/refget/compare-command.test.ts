import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeTwoBit, fixturePath } from '@htskit/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findCollection } from '../../../src/commands/refget/find-collection.js';
import { type RunningServer, serve } from '../../../src/runtime/serve.js';
import { type CommandResult, runCommand } from '../../run-command.js';

const GENOME = fixturePath('genome.fa');
const OTHER = fixturePath('crlf.fa');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-compare-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function compare(...args: string[]): Promise<CommandResult> {
  return runCommand(['refget', 'compare', ...args], folder);
}

/** Compares two FASTA texts, and returns the line that describes the result. */
async function summaryOf(a: string, b: string): Promise<string> {
  writeFileSync(join(folder, 'a.fa'), a);
  writeFileSync(join(folder, 'b.fa'), b);
  const { code, stdout, stderr } = await compare('a.fa', 'b.fa');
  expect([code, stderr]).toEqual([0, '']);
  return stdout.slice(0, stdout.indexOf('\n'));
}

async function collectionOf(path: string): Promise<string> {
  const { stdout } = await runCommand(['digest', '--collection', '--json', path]);
  return (JSON.parse(stdout) as { digest: string }[])[0]?.digest ?? '';
}

test('compares stdin with a file', () => {
  const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
  const args = [cli, 'refget', 'compare', '-', GENOME];
  const { status, stdout } = spawnSync(process.execPath, args, { input: readFileSync(GENOME), encoding: 'utf8' });
  expect([status, stdout.slice(0, stdout.indexOf('\n'))]).toEqual([0, 'same sequences, same names, same order']);
});

test('stops waiting for the digests of a 2bit file', async () => {
  const path = join(folder, 'a.2bit');
  writeFileSync(path, encodeTwoBit([{ name: 'one', bases: 'ACGT' }]));
  const options = { sources: [], characters: 'letters', headerLines: [] } as const;
  await expect(findCollection(path, { ...options, signal: AbortSignal.abort() })).rejects.toThrow(/aborted/);
  const { signal } = new AbortController();
  expect((await findCollection(path, { ...options, signal })).digest).toMatch(/^[\w-]{32}$/);
});

describe('the line that htskit refget compare prints', () => {
  const A = '>1\nAAAA\n>2\nCCCCC\n>3\nGG\n';

  test.each([
    ['the same file', A, 'same sequences, same names, same order'],
    ['other line lengths', '>1\nAA\nAA\n>2\nCCCCC\n>3\nGG\n', 'same sequences, same names, same order'],
    ['another order', '>2\nCCCCC\n>1\nAAAA\n>3\nGG\n', 'same sequences, same names, other order'],
    ['other names', '>c1\nAAAA\n>c2\nCCCCC\n>c3\nGG\n', 'same sequences, other names'],
    ['other names and more', '>c1\nAAAA\n>c2\nCCCCC\n>c3\nGG\n>x\nT\n', 'same sequences, other names; 1 extra in B'],
    ['exchanged names', '>2\nAAAA\n>3\nCCCCC\n>1\nGG\n', 'same sequences, the names of other sequences'],
    ['one other name', '>1\nAAAA\n>2\nCCCCC\n>x\nGG\n', 'same sequences, 2 with the same name'],
    ['fewer sequences', '>1\nAAAA\n', 'same sequences, same names; 2 extra in A'],
    ['one of each', '>1\nAAAA\n>x\nT\n', '1 sequence in common, same names; 2 extra in A; 1 extra in B'],
    ['other bases', '>1\nTTTT\n>2\nTTTTT\n>3\nTT\n', 'no sequences in common; same names and lengths'],
    ['some names and lengths', '>1\nTTTT\n>2\nTT\n', 'no sequences in common; 1 name with the same length'],
    ['nothing', '>x\nTTTTTTT\n', 'no sequences in common; no names with the same lengths'],
  ])('says what %s have in common', async (_, b, expected) => {
    expect(await summaryOf(A, b)).toBe(expected);
  });

  test('is followed by counts', async () => {
    await summaryOf(A, '>2\nCCCCC\n>1\nAAAA\n>3\nGG\n>x\nT\n');
    const { stdout } = await compare('a.fa', 'b.fa');
    const rows = stdout.split('\n').map((line) => line.split(/ {2,}/));
    expect(rows).toContainEqual(['sequences', '3', '4', '3', 'other']);
    expect(rows).toContainEqual(['names with sequences', '3', '4', '3', '-']);
    expect(rows).toContainEqual(['A', await collectionOf(join(folder, 'a.fa')), 'a.fa']);
  });
});

describe('htskit refget compare', () => {
  let server: RunningServer;
  beforeAll(async () => {
    const paths = [GENOME, OTHER];
    const cache = mkdtempSync(join(tmpdir(), 'htskit-compare-'));
    const options = { paths, cache, host: '127.0.0.1', port: 0, authority: 'ga4gh', settlesFirst: true } as const;
    server = await serve({ ...options, log: () => undefined });
    return () => rmSync(cache, { recursive: true });
  });
  afterAll(() => server.close());

  test('prints the comparison that a service of both collections answers with', async () => {
    const [a, b] = [await collectionOf(GENOME), await collectionOf(OTHER)];
    const { stdout } = await compare('--json', GENOME, OTHER);
    const response = await fetch(`${server.url}/comparison/${a}/${b}`);
    expect(JSON.parse(stdout)).toEqual(await response.json());
  });

  test('finds collections in stores, files, services and configurations', async () => {
    await runCommand(['refget', 'import', GENOME, '--store', join(folder, 'store')]);
    mkdirSync(join(folder, 'both'));
    writeFileSync(join(folder, 'htskit.yaml'), 'refget: { sources: [{ location: store }], cache: cached }\n');
    const [a, b] = [await collectionOf(GENOME), await collectionOf(OTHER)];
    const same = 'same sequences, same names, same order\n';
    for (const args of [
      ['store'],
      [fixturePath('genome.fa.gz')],
      [`${server.url}/collection/${a}`],
      [`${server.url.replace('http:', 'htsget:')}/collection/${a}`],
      [`${server.url}/collection/${a}?level=1`],
      [a, '--in', server.url],
      [a, '--in', `${server.url}/`],
      [a, '--in', 'store'],
      [a, '--in', 'htskit.yaml'],
      [a, '--in', 'both', '--in', 'store'],
    ]) {
      const { code, stdout } = await compare(GENOME, ...args);
      expect([code, stdout.startsWith(same)], args.join(' ')).toEqual([0, true]);
    }
    const { stdout } = await compare(a, b, '--in', 'store', '--in', server.url);
    expect(stdout).toMatch(/^1 sequence in common/);
  });

  test('names what could not be compared, and what to do', async () => {
    await runCommand(['refget', 'import', GENOME, OTHER, '--store', join(folder, 'two')]);
    mkdirSync(join(folder, 'empty'));
    writeFileSync(join(folder, 'empty.fa'), '');
    const unknown = 'A'.repeat(32);
    for (const [args, message] of [
      [['none.fa'], 'none.fa: no such file or folder'],
      [['empty'], 'empty: is a folder; name the FASTA files in it'],
      [['empty.fa'], 'empty.fa: there are no sequences, so there is no collection'],
      [['two'], 'two: has 2 collections; give the digest of one, and this store with --in'],
      [
        [unknown],
        `${unknown}: no such file or folder; if it is the digest of a collection, say where to find it with --in`,
      ],
      [
        [unknown, '--in', 'two', '--in', server.url],
        `${unknown}: no collection with this digest in two, ${server.url}/`,
      ],
      [[`${server.url}/collection/${unknown}`], `${server.url}/collection/${unknown}: no such collection`],
    ] as const) {
      expect(await compare(GENOME, ...args), args.join(' ')).toEqual({
        code: 1,
        stdout: '',
        stderr: `htskit: ${message}\n`,
      });
    }
  });

  test('rejects the URL of anything but a collection as a usage error, without its secrets', async () => {
    const { code, stderr } = await compare(GENOME, 'https://user:hunter2@127.0.0.1/reads/a?token=hunter2');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: expected the URL of a collection/);
    expect(stderr).not.toContain('hunter2');
  });
});
