import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { CollectionComparison } from '@htskit/refget';
import { type ExpectedSequence, expectations, fixturePath } from '@htskit/testing';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type RunningServer, serve } from '../../src/runtime/serve.js';
import { runCommand } from '../run-command.js';
import { installRefget, refgetVersion } from './python-client.js';

const run = promisify(execFile);
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
// Skipped without a package registry of Python, also where CI is set: not every CI reaches one.
const bin = await installRefget(join(scratch, 'python'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** Copies, since gtars writes an index beside a FASTA. */
const FASTA = ['genome.fa', 'crlf.fa'].map((name) => {
  mkdirSync(join(scratch, 'fasta'), { recursive: true });
  copyFileSync(fixturePath(name), join(scratch, 'fasta', name));
  return join(scratch, 'fasta', name);
});

/** The answers that the client received; see refget-client.py. */
interface Received {
  readonly fasta: string;
  readonly services: readonly { readonly artifact: string }[];
  readonly sequences: readonly string[];
  readonly part: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly level1: Readonly<Record<string, string>>;
  readonly level2: { readonly names: string[]; readonly lengths: number[]; readonly sequences: string[] };
  readonly names: readonly string[];
  readonly list: { readonly results: readonly string[] };
  readonly attributes: { readonly results: readonly string[] };
  readonly comparison: CollectionComparison;
  readonly local: CollectionComparison;
  readonly sizes: string;
  readonly regions: readonly { chrom_name: string; start: number; end: number; sequence: string }[];
}

const ARTIFACTS = ['refget', 'refget-seqcol'];

let server: RunningServer | undefined;
afterEach(async () => server?.close());

/** Serves a folder and returns what the client receives of the collections of both FASTA files. */
async function receive(path: string): Promise<Received> {
  const options = {
    paths: [path],
    cache: join(scratch, 'cache'),
    host: '127.0.0.1',
    port: 0,
    authority: 'ga4gh',
  } as const;
  server = await serve({ ...options, settlesFirst: true, log: () => undefined });
  const { stdout } = await runCommand(['digest', '--collection', '--json', ...FASTA]);
  const [genome, other] = (JSON.parse(stdout) as { digest: string }[]).map(({ digest }) => digest);
  const args = [pathOf('refget-client.py'), server.url, genome ?? '', other ?? '', FASTA[0] ?? ''];
  const received = await run(join(bin ?? '', 'python'), args, { maxBuffer: 2 ** 26 });
  const found = JSON.parse(received.stdout) as Received;
  expect(found.fasta).toBe(genome);
  expect(new Set(found.list.results)).toEqual(new Set([genome, other]));
  return found;
}

describe.skipIf(bin === undefined)(`Python's refget ${refgetVersion()}`, () => {
  /** Checks all answers, and returns the artifacts of the services. */
  async function expectAnswers(path: string): Promise<string[]> {
    const sequences: readonly ExpectedSequence[] = expectations('genome.fa').sequences;
    const [first] = sequences;
    const found = await receive(path);
    const names = sequences.map(({ name }) => name);
    expect(found.level2).toMatchObject({
      names,
      lengths: sequences.map(({ length }) => length),
      sequences: sequences.map(({ sha512t24u }) => sha512t24u),
    });
    expect(found.names).toEqual(names);
    expect(found.attributes.results).toContain(found.level1['names']);
    expect(found.sequences.map(({ length }) => length)).toEqual(found.level2.lengths);
    expect(found.part).toBe(found.sequences[0]?.slice(10, 30));
    expect(found.metadata).toMatchObject({ md5: first?.md5, ga4gh: first?.sha512t24u, length: first?.length });
    expect(found.comparison.array_elements.a_and_b_count).toMatchObject({ names: 0, sequences: 1 });
    expect(found.local).toEqual(found.comparison);
    expect(found.sizes).toBe(sequences.map(({ name, length }) => `${name}\t${length}\n`).join(''));
    expect(found.regions).toEqual(
      sequences.map(({ name, length }, index) => {
        const [start, end] = [Math.min(3, length), Math.min(70_000, length)];
        return { chrom_name: name, start, end, sequence: found.sequences[index]?.slice(start, end) };
      }),
    );
    return found.services.map(({ artifact }) => artifact);
  }

  test('reads sequences, collections, comparisons, lists and regions of FASTA files', async () => {
    expect(await expectAnswers(join(scratch, 'fasta'))).toEqual(ARTIFACTS);
  });

  test.each(['raw', 'encoded'])('reads the same of a store that it wrote, %s', async (mode) => {
    const store = join(scratch, mode);
    const refget = join(bin ?? '', 'refget');
    await run(refget, ['store', 'init', '--path', store]);
    await run(refget, ['store', 'add', ...FASTA, '--path', store, '--mode', mode, '--quiet']);
    expect(await expectAnswers(store)).toEqual(ARTIFACTS);
  });

  test('reads FASTA files by DRS', async () => {
    const path = join(scratch, 'fasta');
    await receive(path);
    const { stdout } = await runCommand(['digest', '--collection', '--json', ...FASTA]);
    const [genome] = JSON.parse(stdout) as { digest: string }[];
    const args = [pathOf('fasta-drs-client.py'), server?.url ?? '', genome?.digest ?? '', scratch];
    const received = await run(join(bin ?? '', 'python'), args, { maxBuffer: 2 ** 26 });
    const found = JSON.parse(received.stdout) as Record<string, unknown> & { object: { size: number } };
    expect(found['service']).toMatchObject({ artifact: 'drs' });
    expect(found['plain']).toEqual(found['object']);
    const downloaded = readFileSync(join(scratch, 'genome.fa'));
    expect(found.object).toMatchObject({
      id: genome?.digest,
      size: downloaded.length,
      checksums: [
        { type: 'sha-256', checksum: createHash('sha256').update(downloaded).digest('hex') },
        { type: 'md5' },
      ],
    });
    // What samtools indexes is the file that the client downloaded.
    await run('samtools', ['faidx', join(scratch, 'genome.fa')]);
    const lines = readFileSync(join(scratch, 'genome.fa.fai'), 'utf8')
      .split('\n')
      .filter((line) => !/\t0\t/.test(line));
    for (const text of [found['fai'], found['derived']])
      expect(String(text).split('\n')).toEqual(expect.arrayContaining(lines));
    expect(found['access']).toMatchObject({ url: `${server?.url}/collection/${genome?.digest}/fasta` });
  });

  test('clients of SeqRepo read a store that it wrote', async () => {
    const store = join(scratch, 'transcripts');
    const refget = join(bin ?? '', 'refget');
    await run(refget, ['store', 'init', '--path', store]);
    await run(refget, ['store', 'add', FASTA[0] ?? '', '--path', store, '--quiet']);
    const options = {
      paths: [store],
      namingAuthority: 'refseq',
      host: '127.0.0.1',
      port: 0,
      authority: 'ga4gh',
    } as const;
    server = await serve({ ...options, settlesFirst: true, log: () => undefined });
    const [first] = expectations('genome.fa').sequences;
    const response = await fetch(`${server.url}/seqrepo/1/metadata/refseq:${first?.name}`);
    expect(await response.json()).toMatchObject({
      length: first?.length,
      aliases: expect.arrayContaining([`refseq:${first?.name}`, `ga4gh:${first?.sha512t24u}`]) as unknown,
    });
  });

  test('lists the collections of a store that htskit refget export wrote', async () => {
    const [native, exported] = [join(scratch, 'native'), join(scratch, 'exported')];
    await runCommand(['refget', 'import', ...FASTA, '--store', native]);
    await runCommand(['refget', 'export', native, '--format', 'rgstore', '-o', exported]);
    const { stdout } = await run(join(bin ?? '', 'refget'), ['store', 'list', '--path', exported]);
    const listed = JSON.parse((await runCommand(['refget', 'list', '--json', native])).stdout) as { digest: string }[];
    expect(listed).toHaveLength(2);
    for (const { digest } of listed) expect(stdout).toContain(digest);
  });
});
