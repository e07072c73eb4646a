import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decryptingSource } from '@htskit/crypt4gh';
import { fileSource } from '@htskit/storage/file';
import { bgunzip, fixturePath, readFixture } from '@htskit/testing';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { serve } from '../../src/runtime/serve.js';
import { runCommand } from '../run-command.js';
import { createEncryptedFolder, createFolder, type EncryptedFolder } from './encrypted-files.js';

let folder: EncryptedFolder;
let output: string;

beforeEach(async () => {
  vi.stubEnv('C4GH_SECRET_KEY', '');
  vi.stubEnv('C4GH_PASSPHRASE', undefined);
  folder = await createEncryptedFolder();
  output = join(createFolder(), 'out.bam');
});

function get(target: string, ...args: readonly string[]): ReturnType<typeof runCommand> {
  return runCommand(['get', target, ...args]);
}

async function decrypted(path: string): Promise<Uint8Array> {
  const source = decryptingSource(fileSource(path), { keys: [folder.key.secretKey] });
  const { size } = await source.stat();
  const bytes = await source.read({ start: 0, end: size });
  await source.close?.();
  return bytes;
}

async function startService(): Promise<string> {
  const server = await serve({
    paths: [fixturePath('.')],
    host: '127.0.0.1',
    port: 0,
    authority: 'ga4gh',
    log: () => undefined,
  });
  onTestFinished(() => server.close());
  return `${server.url}/reads/reads`;
}

const READS = bgunzip(readFixture('reads.bam'));

describe('of a file', () => {
  test('decrypts it, and encrypts an output whose name ends in .c4gh', async () => {
    const path = await folder.add('reads.bam');
    expect(await get(path, '--identity', folder.key.path, '-o', output)).toMatchObject({ code: 0 });
    expect(Buffer.from(bgunzip(readFileSync(output))).equals(READS)).toBe(true);
    expect(await get(path, '--identity', folder.key.path, '-o', `${output}.c4gh`)).toMatchObject({ code: 0 });
    expect(Buffer.from(bgunzip(await decrypted(`${output}.c4gh`))).equals(READS)).toBe(true);
  });

  test('needs a key', async () => {
    const { code, stderr } = await get(await folder.add('reads.bam'), '-o', output);
    expect([code, stderr]).toEqual([1, expect.stringContaining('--identity')]);
  });
});

describe('of a service', () => {
  test('decrypts the answer, or keeps it encrypted if the name of the output ends in .c4gh', async () => {
    const url = await startService();
    expect(await get(url, '--identity', folder.key.path, '-o', output)).toMatchObject({ code: 0 });
    expect(Buffer.from(bgunzip(readFileSync(output))).equals(READS)).toBe(true);
    expect(await get(url, '--identity', folder.key.path, '-o', `${output}.c4gh`)).toMatchObject({ code: 0 });
    expect(Buffer.from(bgunzip(await decrypted(`${output}.c4gh`))).equals(READS)).toBe(true);
  });

  test('needs a key for an output whose name ends in .c4gh', async () => {
    const { code, stderr } = await get(await startService(), '-o', `${output}.c4gh`);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--identity')]);
    expect(existsSync(`${output}.c4gh`)).toBe(false);
  });
});
