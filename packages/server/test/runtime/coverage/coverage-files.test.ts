import { mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decryptingSource, generateKeyPair } from '@htskit/crypt4gh';
import type { StoredFile } from '@htskit/htsget';
import { type ByteSource, StorageError } from '@htskit/io';
import { fileSource } from '@htskit/storage/file';
import { memorySource } from '@htskit/storage/memory';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { coverageFiles } from '../../../src/runtime/coverage/coverage-files.js';
import { prepareCoverageFolder } from '../../../src/runtime/coverage/coverage-folder.js';
import { encrypt } from '../../encrypted/encrypted-files.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  writeFileSync(join(folder, 'a.bam'), 'reads');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function find(): Promise<string | undefined> {
  const data = fileSource(join(folder, 'a.bam'));
  const source = await coverageFiles().find({ format: 'BAM', data }, '1');
  return source && new TextDecoder().decode(await source.read({ start: 0, end: 100 }));
}

test('a bigWig is found beside its file', async () => {
  expect(await find()).toBeUndefined();
  writeFileSync(join(folder, 'a.bam.coverage.bw'), 'depth');
  expect(await find()).toBe('depth');
});

test('one that is older than its file is not served', async () => {
  writeFileSync(join(folder, 'a.bam.coverage.bw'), 'depth');
  utimesSync(join(folder, 'a.bam.coverage.bw'), 1, 1);
  expect(await find()).toBeUndefined();
});

test('one whose file was overwritten is not served, even if the modification time is that from before', async () => {
  const path = join(folder, 'a.bam');
  writeFileSync(`${path}.coverage.bw`, 'depth');
  const { ctimeMs } = statSync(`${path}.coverage.bw`);
  do writeFileSync(path, 'other reads');
  while (statSync(path).ctimeMs <= ctimeMs);
  utimesSync(path, 1, 1);
  expect(await find()).toBeUndefined();
});

test('a link is not followed', async () => {
  writeFileSync(join(folder, 'secret'), 'secret');
  symlinkSync(join(folder, 'secret'), join(folder, 'a.bam.coverage.bw'));
  expect(await find()).toBeUndefined();
});

test('a file without one is requested on demand, in a folder if there is one', async () => {
  const maker = { request: vi.fn<(job: object, version: string) => void>() };
  const path = join(folder, 'a.bam');
  const file = { format: 'BAM', data: fileSource(path) } as const;
  await coverageFiles({ maker }).find(file, '1');
  expect(maker.request.mock.calls).toEqual([]);
  coverageFiles({ maker }).make?.(file, '1');
  const made = { path: '/made', maxBytes: 1 };
  coverageFiles({ maker, folder: made }).make?.(file, '2');
  expect(maker.request.mock.calls).toEqual([
    [{ input: path, output: `${path}.coverage.bw` }, '1'],
    [{ input: path, output: expect.stringMatching(/^\/made\/[\w-]{32}\.bw$/) as string, folder: made }, '2'],
  ]);
});

describe('encrypted files', () => {
  const { secretKey, publicKey } = generateKeyPair();
  const source = (name: string): ByteSource => decryptingSource(fileSource(join(folder, name)), { keys: [secretKey] });

  test('have none made', () => {
    const maker = { request: vi.fn<(job: object, version: string) => void>() };
    const file: StoredFile = { format: 'BAM', data: source('a.bam.c4gh'), isEncrypted: true };
    coverageFiles({ maker }).make?.(file, '1');
    coverageFiles({ maker, folder: { path: folder, maxBytes: 1 } }).make?.(file, '1');
    expect(maker.request).not.toHaveBeenCalled();
  });

  test('have the encrypted one beside them, unless it is older', async () => {
    const write = async (name: string, text: string): Promise<void> =>
      writeFileSync(join(folder, name), await encrypt(Buffer.from(text), [publicKey]));
    await write('a.bam.c4gh', 'reads');
    await write('a.bam.coverage.bw.c4gh', 'depth');
    writeFileSync(join(folder, 'a.bam.coverage.bw'), 'plain');
    const coverage = source('a.bam.coverage.bw.c4gh');
    const file: StoredFile = { format: 'BAM', data: source('a.bam.c4gh'), isEncrypted: true, coverage };
    expect(await coverageFiles().find(file, '1')).toBe(coverage);
    utimesSync(join(folder, 'a.bam.coverage.bw.c4gh'), 1, 1);
    expect(await coverageFiles().find(file, '1')).toBeUndefined();
  });
});

describe('files elsewhere', () => {
  const data = memorySource(new Uint8Array(1), { key: 's3://bucket/a.bam', version: '1' });
  const remote = { format: 'BAM', data, identity: 's3://bucket/a.bam' } as const;

  test('have none without a folder, which has those of each version', async () => {
    const made = { path: folder, maxBytes: 1 };
    const maker = { request: vi.fn<(job: { readonly output: string }, version: string) => void>() };
    const files = coverageFiles({ maker, folder: made });
    coverageFiles({ maker }).make?.(remote, '1');
    files.make?.(remote, undefined);
    expect(maker.request).not.toHaveBeenCalled();
    files.make?.(remote, '1');
    const [[job] = []] = maker.request.mock.calls;
    expect(job).toMatchObject({ input: data, folder: made });
    expect(await files.find(remote, '1')).toBeUndefined();
    writeFileSync(job?.output ?? '', 'depth');
    utimesSync(job?.output ?? '', 1, 1);
    expect(await files.find(remote, '1')).toMatchObject({ key: job?.output });
    expect(statSync(job?.output ?? '').mtimeMs).toBeGreaterThan(Date.now() - 60_000);
    expect(await files.find(remote, '2')).toBeUndefined();
    expect(await coverageFiles().find(remote, '1')).toBeUndefined();
  });

  test.each([
    ['one that is newer is served', 2000, 1000, true],
    ['one that is older is not', 1000, 2000, false],
    ['one without a time is not', undefined, 1000, false],
    ['one of data without a time is not', 1000, undefined, false],
  ])('may have one beside them: %s', async (_, time, dataTime, isServed) => {
    const coverage = memorySource(new Uint8Array(1), { key: 's3://bucket/a.bam.coverage.bw' });
    const stat = vi.spyOn(coverage, 'stat').mockResolvedValue({ size: 1, ...(time && { modifiedAt: time }) });
    const dated = { ...data, stat: async () => ({ size: 1, ...(dataTime && { modifiedAt: dataTime }) }) };
    const files = coverageFiles();
    for (let i = 0; i < 3; i++) {
      expect(await files.find({ ...remote, data: dated, coverage }, '1')).toBe(isServed ? coverage : undefined);
    }
    expect(stat).toHaveBeenCalledTimes(1);
  });

  test('have none beside them if it is missing or cannot be reached', async () => {
    const coverage = memorySource(new Uint8Array(1));
    vi.spyOn(coverage, 'stat').mockRejectedValue(new StorageError('UNAVAILABLE', 'no answer', { key: 'a' }));
    expect(await coverageFiles().find({ ...remote, coverage }, '1')).toBeUndefined();
  });
});

test('a folder is created, and one that cannot be is an error of the configuration', async () => {
  await prepareCoverageFolder(join(folder, 'a/b'));
  expect(statSync(join(folder, 'a/b')).isDirectory()).toBe(true);
  await expect(prepareCoverageFolder(join(folder, 'a.bam/b'))).rejects.toThrow(/^coverageFolder: cannot write to /);
});
