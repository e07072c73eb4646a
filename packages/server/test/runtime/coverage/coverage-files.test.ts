import { mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileSource } from '@htskit/storage/file';
import { memorySource } from '@htskit/storage/memory';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { coverageFiles } from '../../../src/runtime/coverage/coverage-files.js';

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

test('a file without one is requested once it is needed, in a folder if there is one', async () => {
  const maker = { request: vi.fn<(job: object, version: string) => void>() };
  const path = join(folder, 'a.bam');
  const file = { format: 'BAM', data: fileSource(path) } as const;
  await coverageFiles({ maker }).find(file, '1');
  expect(maker.request.mock.calls).toEqual([]);
  coverageFiles({ maker }).make?.(file, '1');
  coverageFiles({ maker, folder: '/made' }).make?.(file, '2');
  expect(maker.request.mock.calls).toEqual([
    [{ path, output: `${path}.coverage.bw` }, '1'],
    [{ path, output: expect.stringMatching(/^\/made\/[\w-]{32}\.bw$/) as string }, '2'],
  ]);
});

test('files elsewhere have none', async () => {
  const data = memorySource(new Uint8Array(1), { key: 's3://bucket/a.bam' });
  expect(await coverageFiles().find({ format: 'BAM', data }, '1')).toBeUndefined();
});
