import { cpSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeBam, expectations, FaultyServer, fixturePath, readFixture, volume } from '@htskit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningServer, type ServeOptions, serve } from '../../src/runtime/serve.js';

let folder: string;
let server: RunningServer;
const logged: string[] = [];

beforeEach(async () => {
  logged.length = 0;
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  for (const name of ['shared', 'one', 'two']) mkdirSync(join(folder, name));
  for (const file of ['reads.bam', 'reads.bam.bai', 'genome.fa.gz'])
    cpSync(fixturePath(file), join(folder, 'shared', file));
  cpSync(fixturePath('straddle.bam'), join(folder, 'two/new.bam'));
  server = await serve(options('one'));
  await server.sequences.settled();
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

function options(name: string, others: Partial<ServeOptions> = {}): ServeOptions {
  const log = (message: string): void => void logged.push(message);
  const paths = ['shared', name].map((each) => join(folder, each));
  return { paths, host: '127.0.0.1', port: 0, authority: 'ga4gh', log, ...others };
}

async function status(path: string): Promise<number> {
  const response = await fetch(server.url + path);
  await response.arrayBuffer();
  return response.status;
}

async function blockUrls(path: string): Promise<string[]> {
  const { htsget } = (await (await fetch(server.url + path)).json()) as { htsget: { urls: { url: string }[] } };
  return htsget.urls.map(({ url }) => url);
}

async function download(urls: readonly string[]): Promise<Buffer> {
  const blocks = urls.map(async (url) => {
    const response = await fetch(url);
    if (response.status !== 200) throw new Error(`status ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  });
  return Buffer.concat(await Promise.all(blocks));
}

test('replaces the files and keeps the address', async () => {
  expect([await status('/reads/reads'), await status('/reads/new')]).toEqual([200, 404]);
  const { url } = server;
  await server.reload(options('two', { refget: { limits: { subsequence: 5 } } }));
  expect([server.url, await status('/reads/new'), await status('/reads/reads')]).toEqual([url, 200, 200]);
  expect((await server.objects.list()).map(({ id }) => id)).toEqual(['new', 'reads']);
  const [sequence] = expectations('genome.fa.gz').sequences;
  expect(await status(`/sequence/${sequence?.md5}?end=6`)).toBe(416);
  expect(logged).toEqual([]);
});

const ROUNDS = 2 + volume(8);

test('answers every request correctly during repeated reloads', async () => {
  const [sequence] = expectations('genome.fa.gz').sequences;
  const whole = await download(await blockUrls('/reads/reads'));
  const names = (bytes: Uint8Array): string[] => decodeBam(bytes).records.map(({ name }) => name);
  expect(names(whole)).toEqual(names(readFixture('reads.bam')));
  let isOver = false;
  const counts = { downloads: 0, slices: 0 };
  const wrong: string[] = [];
  const act = async (rank: number): Promise<void> => {
    while (!isOver) {
      if (rank % 2 === 0) {
        const bytes = await download(await blockUrls('/reads/reads'));
        if (Buffer.compare(bytes, whole) !== 0) wrong.push('other bytes');
        counts.downloads++;
      } else {
        const found = await status(`/sequence/${sequence?.md5}?start=10&end=5000`);
        if (found !== 200) wrong.push(`status ${found}`);
        counts.slices++;
      }
    }
  };
  const reload = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++) {
      const before = counts.downloads;
      await server.reload(options(round % 2 === 0 ? 'two' : 'one'));
      await expect.poll(() => counts.downloads).toBeGreaterThan(before);
    }
  };
  const reloaded = reload().finally(() => {
    isOver = true;
  });
  await Promise.all([reloaded, ...Array.from({ length: 6 }, (_, rank) => act(rank))]);
  expect(wrong).toEqual([]);
  expect(Math.min(counts.downloads, counts.slices)).toBeGreaterThanOrEqual(ROUNDS);
});

test('finishes a running response with the old files', async () => {
  const [, url = ''] = await blockUrls('/reads/reads');
  const response = await fetch(url);
  await server.reload(options('two'));
  rmSync(join(folder, 'shared'), { recursive: true });
  expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100_000);
});

test('accepts block URLs from before the reload, of its own key and of configured keys', async () => {
  const key = new Uint8Array(16).fill(1);
  const other = new Uint8Array(16).fill(2);
  const own = await blockUrls('/reads/reads');
  await server.reload(options('one', { signingKeys: [key] }));
  const given = await blockUrls('/reads/reads');
  await server.reload(options('one', { signingKeys: [other, key] }));
  for (const urls of [own, given]) expect((await download(urls)).length).toBe(readFixture('reads.bam').length);
  await server.reload(options('one', { signingKeys: [other] }));
  await expect(download(given)).rejects.toThrow('status 403');
  expect((await download(own)).length).toBe(readFixture('reads.bam').length);
});

test('rejects a block URL whose id belongs to another file now', async () => {
  // The same at any path.
  const store = await FaultyServer.start({ bytes: readFixture('reads.bam'), headers: { etag: '"1"' } });
  const locate = (name: string): Partial<ServeOptions> => ({
    objectLocations: [{ id: 'x', location: { kind: 'http', url: `${store.origin}/${name}.bam` } }],
  });
  await server.reload(options('one', locate('one')));
  const [url = ''] = (await blockUrls('/reads/x')).filter((each) => !each.startsWith('data:'));
  const statusOf = async (): Promise<number> => (await fetch(url)).status;
  expect(await statusOf()).toBe(200);
  await server.reload(options('one', locate('two')));
  expect(await statusOf()).toBe(409);
  await server.reload(options('one', locate('one')));
  expect(await statusOf()).toBe(200);
  await store.close();
});

test('keeps everything if the new options are invalid', async () => {
  await expect(server.reload(options('three'))).rejects.toThrow(/ENOENT.*three/);
  await expect(server.reload(options('two', { publicUrl: 'nowhere' }))).rejects.toThrow(RangeError);
  expect([await status('/reads/reads'), await status('/reads/new')]).toEqual([200, 404]);
  expect(server.publicUrl).toBe(server.url);
});

test('logs and keeps the options that cannot change', async () => {
  await server.reload(options('two', { port: 1, host: '0.0.0.0', metrics: { enabled: false } }));
  expect(logged).toEqual(['these settings change only with a restart: host, port, metrics']);
  expect([await status('/reads/new'), await status('/metrics')]).toEqual([200, 200]);
});

test('the last reload wins over one that is still digesting', async () => {
  mkdirSync(join(folder, 'endless'));
  // 64 GiB that are nowhere on the disk.
  writeFileSync(join(folder, 'endless/endless.fa'), '>endless\nACGT\n');
  truncateSync(join(folder, 'endless/endless.fa'), 2 ** 36);
  const endless = server.reload(options('endless'));
  const last = server.reload(options('two'));
  await expect(endless).rejects.toThrow('replaced by another configuration');
  await last;
  expect(await status('/reads/new')).toBe(200);
  const closed = server.reload(options('endless'));
  await Promise.all([expect(closed).rejects.toThrow('the server is closing'), server.close()]);
});

test('keeps serving the old sequences until the new ones are digested', async () => {
  const [sequence] = expectations('genome.fa.gz').sequences;
  const reloaded = server.reload(options('two'));
  const statuses: number[] = [];
  let isOver = false;
  void reloaded.then(() => {
    isOver = true;
  });
  while (!isOver) statuses.push(await status(`/sequence/${sequence?.md5}?end=10`));
  await reloaded;
  expect(statuses.length).toBeGreaterThan(0);
  expect(new Set(statuses)).toEqual(new Set([200]));
});
