import { execFile, spawn } from 'node:child_process';
import {
  copyFileSync,
  createReadStream,
  createWriteStream,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Ticket } from '@htskit/protocol';
import { areInstalled, fixturePath, installPythonPackages, readFixture } from '@htskit/testing';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { decryptWith, readSecretKey } from '../../src/files/key-files.js';
import { type RunningServer, serve } from '../../src/runtime/serve.js';
import { runCommand } from '../run-command.js';
import { createFolder } from './encrypted-files.js';

const execute = promisify(execFile);
const run = (program: string, args: readonly string[]): Promise<{ readonly stdout: string }> =>
  execute(program, args, { maxBuffer: 2 ** 26 });
const requirements = fileURLToPath(new URL('crypt4gh-requirements.txt', import.meta.url));

/** Runs `crypt4gh` of Python on a file. */
async function crypt4gh(
  bin: string,
  args: readonly string[],
  [input, output]: readonly [string, string],
): Promise<void> {
  const child = spawn(join(bin, 'crypt4gh'), args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await Promise.all([
    pipeline(createReadStream(input), child.stdin),
    pipeline(child.stdout, createWriteStream(output)),
  ]);
  expect(await ended).toBe(0);
}

/** Creates a key pair by `crypt4gh-keygen`, and returns the paths of its files. */
async function keygen(
  bin: string,
  folder: string,
  name: string,
): Promise<{ readonly sk: string; readonly pk: string }> {
  const [sk, pk] = [join(folder, `${name}.sec`), join(folder, `${name}.pub`)];
  await run(join(bin, 'crypt4gh-keygen'), ['--nocrypt', '--sk', sk, '--pk', pk]);
  return { sk, pk };
}

async function startServer(folder: string, sk: string): Promise<RunningServer> {
  const server = await serve({
    host: '127.0.0.1',
    port: 0,
    authority: 'ga4gh',
    paths: [folder],
    decrypt: decryptWith([await readSecretKey(sk, undefined)]),
    htsget: { plainDelivery: true },
    log: () => undefined,
  });
  onTestFinished(() => server.close());
  return server;
}

const scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
afterAll(() => rmSync(scratch, { recursive: true }));
// Skipped without a package registry of Python, also where CI is set: not every CI reaches one.
const bin = await installPythonPackages(join(scratch, 'python'), requirements);

describe.skipIf(bin === undefined || !areInstalled('samtools', 'bcftools'))('files of crypt4gh', () => {
  const python = bin ?? '';

  test('that have two recipients are served as samtools and bcftools read the plain ones', async () => {
    const [folder, keys] = [createFolder(), createFolder()];
    const [server, other] = [await keygen(python, keys, 'server'), await keygen(python, keys, 'other')];
    const recipients = ['--recipient_pk', other.pk, '--recipient_pk', server.pk];
    for (const name of ['reads.bam', 'reads.bam.bai', 'variants.bcf']) {
      await crypt4gh(python, ['encrypt', ...recipients], [fixturePath(name), join(folder, `${name}.c4gh`)]);
    }
    copyFileSync(fixturePath('variants.bcf.csi'), join(folder, 'variants.bcf.csi'));
    const { url } = await startServer(folder, server.sk);
    for (const [program, path, name] of [
      ['samtools', 'reads/reads', 'reads.bam'],
      ['bcftools', 'variants/variants', 'variants.bcf'],
    ] as const) {
      const region = 'referenceName=chr1&start=20000&end=40000';
      const found = await run(program, ['view', ...(program === 'bcftools' ? ['-H'] : []), `${url}/${path}?${region}`]);
      const expected = await runCommand(['view', fixturePath(name), 'chr1:20001-40000', '--without-header']);
      expect(found.stdout).toBe(expected.stdout);
      expect(found.stdout.length).toBeGreaterThan(1000);
    }
  });

  test('that have an edit list are served as what it keeps', async () => {
    const [folder, keys] = [createFolder(), createFolder()];
    const server = await keygen(python, keys, 'server');
    const [before, after] = [Buffer.alloc(100_001, 1), Buffer.alloc(200_000, 2)];
    const bam = readFixture('reads.bam');
    const paths = ['long', 'long.c4gh', 'part.c4gh'].map((name) => join(keys, name));
    const [long = '', encrypted = '', part = ''] = paths;
    writeFileSync(long, Buffer.concat([before, bam, after]));
    await crypt4gh(python, ['encrypt', '--recipient_pk', server.pk], [long, encrypted]);
    const range = `${before.length}-${before.length + bam.length}`;
    await crypt4gh(python, ['rearrange', '--sk', server.sk, '--range', range], [encrypted, part]);
    copyFileSync(part, join(folder, 'reads.bam.c4gh'));
    copyFileSync(fixturePath('reads.bam.bai'), join(folder, 'reads.bam.c4gh.bai'));
    const { url } = await startServer(folder, server.sk);
    const region = `${url}/reads/reads?referenceName=chr1&start=20000&end=40000`;
    const expected = await run('samtools', ['view', fixturePath('reads.bam'), 'chr1:20001-40000']);
    expect((await run('samtools', ['view', region])).stdout).toBe(expected.stdout);
    expect(expected.stdout.length).toBeGreaterThan(1000);
  });

  test.each([
    ['BAM', '', []],
    ['BAM', '&referenceName=chr1&start=20000&end=40000', ['chr1:20001-40000']],
    ['CRAM', '', []],
  ] as const)('are served encrypted for another key, as %s%s', async (format, region, regions) => {
    const [folder, keys] = [createFolder(), createFolder()];
    const [server, client] = [await keygen(python, keys, 'server'), await keygen(python, keys, 'client')];
    const name = `reads.${format.toLowerCase()}`;
    await crypt4gh(python, ['encrypt', '--recipient_pk', server.pk], [fixturePath(name), join(folder, `${name}.c4gh`)]);
    const { url } = await startServer(folder, server.sk);
    const headers = { 'Client-Public-Key': readFileSync(client.pk).toString('base64') };
    const request = `${url}/reads/reads?format=${format}&encryptionScheme=C4GH${region}`;
    const ticket = (await (await fetch(request, { headers })).json()) as Ticket;
    const [answer, plain] = [join(keys, 'answer.c4gh'), join(keys, `answer.${format.toLowerCase()}`)];
    const blocks = await Promise.all(
      ticket.htsget.urls.map(async (block) => {
        const response = await fetch(block.url, { headers: { ...block.headers } });
        expect(response.status).toBe(200);
        return Buffer.from(await response.arrayBuffer());
      }),
    );
    writeFileSync(answer, Buffer.concat(blocks));
    await crypt4gh(python, ['decrypt', '--sk', client.sk], [answer, plain]);
    const view = ['view', '-T', fixturePath('genome.fa')];
    const expected = await run('samtools', [...view, fixturePath('reads.bam'), ...regions]);
    expect((await run('samtools', [...view, plain])).stdout).toBe(expected.stdout);
  });

  test('and indexes of htskit are read by each other', async () => {
    const folder = createFolder();
    const { sk, pk } = await keygen(python, folder, 'server');
    const path = join(folder, 'reads.bam.c4gh');
    await crypt4gh(python, ['encrypt', '--recipient_pk', pk], [fixturePath('reads.bam'), path]);
    expect((await runCommand(['index', '--identity', sk, path])).code).toBe(0);
    const [index, plain] = [join(folder, 'reads.bam.bai.c4gh'), join(folder, 'index.bai')];
    await crypt4gh(python, ['decrypt', '--sk', sk], [index, plain]);
    await run('samtools', ['index', fixturePath('reads.bam'), join(folder, 'expected.bai')]);
    expect(readFileSync(plain).equals(readFileSync(join(folder, 'expected.bai')))).toBe(true);
  });
});
