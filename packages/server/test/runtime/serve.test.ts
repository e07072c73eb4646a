import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFasta } from '@htskit/sequences';
import { fileSource } from '@htskit/storage/file';
import { folderStore } from '@htskit/storage/folder';
import { bgunzip, decodeBam, expectations, fixturePath, readFixture } from '@htskit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toLoopback } from '../../src/runtime/public-url.js';
import { type RunningServer, serve } from '../../src/runtime/serve.js';

let folder: string;
let server: RunningServer;
const logged: string[] = [];

beforeEach(async () => {
  logged.length = 0;
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  for (const name of [
    'reads.bam',
    'reads.bam.bai',
    'straddle.bam',
    'straddle.bam.bai',
    'extra-subfield.bam',
    'extra-subfield.bam.bai',
    'genome.fa.gz',
  ]) {
    cpSync(fixturePath(name), join(folder, name));
  }
  const log = (message: string): void => void logged.push(message);
  server = await serve({ paths: [folder], host: '127.0.0.1', port: 0, authority: 'ga4gh', log });
  await server.sequences.settled();
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

async function download(path: string): Promise<Uint8Array> {
  const ticket = (await (await fetch(server.url + path)).json()) as { htsget: { urls: { url: string }[] } };
  const blocks = ticket.htsget.urls.map(async ({ url }) => Buffer.from(await (await fetch(url)).arrayBuffer()));
  return new Uint8Array(Buffer.concat(await Promise.all(blocks)));
}

test('a whole BAM through a ticket has all records of the file', async () => {
  const names = decodeBam(await download('/reads/reads')).records.map(({ name }) => name);
  expect(names).toEqual(decodeBam(readFixture('reads.bam')).records.map(({ name }) => name));
});

test('a ticket of a thousand regions has short block URLs and each read once, in file order', async () => {
  const regions = Array.from({ length: 1000 }, (_, i) => ({
    referenceName: 'chr1',
    start: i * 149,
    end: i * 149 + 20,
  }));
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ regions }),
  };
  const response = await fetch(`${server.url}/reads/extra-subfield`, request);
  const { htsget } = (await response.json()) as { htsget: { urls: { url: string }[] } };
  expect(
    Math.max(...htsget.urls.filter(({ url }) => url.startsWith('http')).map(({ url }) => url.length)),
  ).toBeLessThan(8000);
  const stored = decodeBam(readFixture('extra-subfield.bam'));
  const isWanted = ({ referenceId, position, end }: (typeof stored.records)[number]): boolean =>
    stored.references[referenceId]?.name === 'chr1' &&
    regions.some((region) => position < region.end && region.start < end);
  const wanted = stored.records.filter(isWanted).map(({ name }) => name);
  const blocks = await Promise.all(
    htsget.urls.map(async ({ url }) => Buffer.from(await (await fetch(url)).arrayBuffer())),
  );
  const names = decodeBam(new Uint8Array(Buffer.concat(blocks))).records.map(({ name }) => name);
  expect(wanted.length).toBeGreaterThan(100);
  expect(wanted.filter((name) => !names.includes(name))).toEqual([]);
  const ranks = names.map((name) => stored.records.findIndex((record) => record.name === name));
  expect(ranks).toEqual([...new Set(ranks)].sort((a, b) => a - b));
});

test('serves CRAM, BCF and VCFTEXT, and whole files unchanged', async () => {
  for (const name of ['reads.cram', 'variants.vcf.gz', 'variants.vcf.gz.tbi', 'variants.bcf']) {
    cpSync(fixturePath(name), join(folder, name));
  }
  expect(Buffer.compare(await download('/reads/reads?format=CRAM'), readFixture('reads.cram'))).toBe(0);
  for (const [format, name] of [
    ['BCF', 'variants.bcf'],
    ['VCF', 'variants.vcf.gz'],
  ] as const) {
    const whole = await download(`/variants/variants?format=${format}`);
    expect(Buffer.compare(bgunzip(whole), bgunzip(readFixture(name)))).toBe(0);
  }
  const text = await download('/variants/variants?format=VCFTEXT');
  expect(Buffer.compare(text, bgunzip(readFixture('variants.vcf.gz')))).toBe(0);
  const info = (await (await fetch(`${server.url}/variants/service-info`)).json()) as { htsget: { formats: string[] } };
  // The document has no name for VCFTEXT.
  expect(info.htsget.formats).toEqual(['VCF', 'BCF']);
});

test('serves ten bases of a sequence by MD5', async () => {
  const { sequences, slices } = expectations('genome.fa.gz');
  const slice = slices.find(({ start, end }) => end - start === 10) ?? slices[0];
  const sequence = sequences.find(({ name }) => name === slice?.name);
  const response = await fetch(`${server.url}/sequence/${sequence?.md5}?start=${slice?.start}&end=${slice?.end}`);
  expect(await response.text()).toBe(slice?.bases.toUpperCase());
});

test('answers 500 for a corrupt index and still serves everything else', async () => {
  writeFileSync(join(folder, 'reads.bam.bai'), readFixture('reads.bam.bai').subarray(0, 100));
  const response = await fetch(`${server.url}/reads/reads?referenceName=chr1&start=1000&end=2000`);
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ htsget: { error: 'InternalServerError' } });
  expect(logged).toEqual([expect.stringMatching(/^reads\/reads: /)]);
  const { records } = decodeBam(await download('/reads/straddle?referenceName=chr1&start=1000&end=20000'));
  expect(records.length).toBeGreaterThan(0);
  writeFileSync(join(folder, 'reads.bam.bai'), readFixture('reads.bam.bai'));
  expect((await fetch(`${server.url}/reads/reads?referenceName=chr1&start=1000&end=2000`)).status).toBe(200);
});

test('notices a FASTA that appears or vanishes', async () => {
  const [, , , , sequence] = expectations('genome.fa').sequences;
  const url = `${server.url}/sequence/${sequence?.sha512t24u}`;
  expect((await fetch(url)).status).toBe(200);
  rmSync(join(folder, 'genome.fa.gz'));
  await expect.poll(async () => (await fetch(url)).status).toBe(404);
  cpSync(fixturePath('genome.fa'), join(folder, 'genome.fa'));
  await expect.poll(async () => (await fetch(url)).status).toBe(200);
});

test('serves a store beside files, with the names of both', async () => {
  const store = join(folder, 'store');
  const [sequence] = expectations('genome.fa').sequences;
  await importFasta({
    store: folderStore(store),
    data: fileSource(fixturePath('genome.fa')),
    namingAuthority: 'stored',
  });
  const log = (message: string): void => void logged.push(message);
  const options = { host: '127.0.0.1', port: 0, authority: 'ga4gh', log } as const;
  const both = await serve({ ...options, paths: [store, join(folder, 'genome.fa.gz')], namingAuthority: 'filed' });
  const alone = await serve({ ...options, paths: [store] });
  await both.sequences.settled();
  const metadata = async (url: string): Promise<unknown> =>
    (await fetch(`${url}/sequence/${sequence?.md5}/metadata`)).json();
  expect(await metadata(both.url)).toMatchObject({
    metadata: { aliases: [{ naming_authority: 'filed' }, { naming_authority: 'stored' }] },
  });
  expect(await metadata(alone.url)).toMatchObject({ metadata: { aliases: [{ naming_authority: 'stored' }] } });
  const slice = await fetch(`${alone.url}/sequence/stored:${sequence?.name}?start=70&end=80`);
  expect(await slice.text()).toHaveLength(10);
  expect((await fetch(`${alone.url}/sequence/${'0'.repeat(32)}`)).status).toBe(404);
  await both.close();
  await alone.close();
  expect(logged).toEqual([]);
});

test('logs a file that is not FASTA and serves the others', async () => {
  writeFileSync(join(folder, 'broken.fa'), 'not a FASTA');
  await expect
    .poll(async () => (await fetch(`${server.url}/sequence/${'0'.repeat(32)}`)).status && logged.join('\n'), {
      timeout: 10_000,
    })
    .toContain('broken.fa is not served');
});

test('loses only the sequences of a folder that vanishes or becomes unreadable', async () => {
  const other = mkdtempSync(join(tmpdir(), 'htskit-'));
  cpSync(fixturePath('crlf.fa'), join(other, 'crlf.fa'));
  mkdirSync(join(folder, 'private'), { mode: 0 });
  const log = (message: string): void => void logged.push(message);
  const both = await serve({ paths: [other, folder], host: '127.0.0.1', port: 0, authority: 'ga4gh', log });
  await both.sequences.settled();
  const status = async (md5: string | undefined): Promise<number> =>
    (await fetch(`${both.url}/sequence/${md5}/metadata`)).status;
  const [tiny] = expectations('crlf.fa').sequences.filter(({ name }) => name === 'tiny');
  const [chr1] = expectations('genome.fa.gz').sequences;
  expect([await status(tiny?.md5), await status(chr1?.md5)]).toEqual([200, 200]);
  rmSync(other, { recursive: true });
  await expect.poll(async () => [await status(tiny?.md5), await status(chr1?.md5)]).toEqual([404, 200]);
  expect(logged).toEqual([]);
  await both.close();
});

test('does not follow a link out of the folder', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'htskit-'));
  cpSync(fixturePath('crlf.fa'), join(outside, 'crlf.fa'));
  symlinkSync(join(outside, 'crlf.fa'), join(folder, 'link.fa'));
  symlinkSync(join(folder, 'genome.fa.gz'), join(folder, 'inside.fa.gz'));
  const log = (message: string): void => void logged.push(message);
  const linked = await serve({ paths: [folder], host: '127.0.0.1', port: 0, authority: 'ga4gh', log });
  await linked.sequences.settled();
  const [tiny] = expectations('crlf.fa').sequences.filter(({ name }) => name === 'tiny');
  expect((await fetch(`${linked.url}/sequence/${tiny?.md5}`)).status).toBe(404);
  await linked.close();
  rmSync(outside, { recursive: true });
});

test('serves a FASTA once its index is complete', async () => {
  const path = join(folder, 'crlf.fa');
  writeFileSync(`${path}.fai`, readFixture('crlf.fa.fai').subarray(0, 30));
  cpSync(fixturePath('crlf.fa'), path);
  const [tiny] = expectations('crlf.fa').sequences.filter(({ name }) => name === 'tiny');
  const status = async (): Promise<number> => (await fetch(`${server.url}/sequence/${tiny?.md5}`)).status;
  await expect.poll(async () => [await status(), logged.length]).toEqual([404, 1]);
  cpSync(fixturePath('crlf.fa.fai'), `${path}.fai`);
  await expect.poll(status).toBe(200);
});

test('logs a hint for an empty folder and serves files that appear later', async () => {
  expect(logged).toEqual([]);
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const log = (message: string): void => void logged.push(message);
  const other = await serve({ paths: [empty], host: '127.0.0.1', port: 0, authority: 'ga4gh', log });
  expect(logged).toEqual([expect.stringContaining(`no files to serve in ${empty} yet`)]);
  cpSync(fixturePath('reads.bam'), join(empty, 'reads.bam'));
  expect((await fetch(`${other.url}/reads/reads?class=header`)).status).toBe(200);
  await other.close();
});

test('replaces the address of all interfaces by the loopback address', () => {
  expect(toLoopback('http://0.0.0.0:80')).toBe('http://127.0.0.1:80');
  expect(toLoopback('http://[::]:80')).toBe('http://[::1]:80');
  for (const url of ['http://127.0.0.1:80', 'http://[::1]:80', 'http://10.0.0.0:80']) expect(toLoopback(url)).toBe(url);
});

test('block URLs of a server on all interfaces use the loopback address by default', async () => {
  const log = (message: string): void => void logged.push(message);
  const all = await serve({ paths: [folder], host: '0.0.0.0', port: 0, authority: 'ga4gh', log });
  expect(all.url).toMatch(/^http:\/\/0\.0\.0\.0:\d+$/);
  expect(all.publicUrl).toBe(all.url.replace('0.0.0.0', '127.0.0.1'));
  expect(logged).toEqual([
    `block URLs begin with ${all.publicUrl}, which only this machine can reach; use --public-url`,
  ]);
  const { htsget } = (await (await fetch(`${all.publicUrl}/reads/reads`)).json()) as {
    htsget: { urls: { url: string }[] };
  };
  const urls = htsget.urls.map((block) => block.url).filter((text) => !text.startsWith('data:'));
  expect(urls.length).toBeGreaterThan(0);
  for (const text of urls) {
    expect(text.startsWith(`${all.publicUrl}/blocks/`)).toBe(true);
    expect((await fetch(text)).status).toBe(200);
  }
  await all.close();
});

test('block URLs begin with the public URL', async () => {
  const publicUrl = 'https://a.example/data';
  const log = (message: string): void => void logged.push(message);
  const options = { host: '0.0.0.0', port: 0, authority: 'ga4gh', log } as const;
  const all = await serve({ ...options, paths: [folder], publicUrl: `${publicUrl}/` });
  expect([all.publicUrl, logged]).toEqual([publicUrl, []]);
  const ticket = await (await fetch(`${all.url.replace('0.0.0.0', '127.0.0.1')}/reads/reads`)).text();
  expect(ticket).toContain(`"${publicUrl}/blocks/`);
  await all.close();
});

test('a server that fails to start leaves nothing open', async () => {
  const log = (message: string): void => void logged.push(message);
  const { port } = new URL(server.url);
  const options = { paths: [folder], host: '127.0.0.1', authority: 'ga4gh', log } as const;
  await expect(serve({ ...options, port: Number(port) })).rejects.toThrow('EADDRINUSE');
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const free = (blocker.address() as AddressInfo).port;
  blocker.close();
  await once(blocker, 'close');
  await expect(serve({ ...options, port: free, publicUrl: 'nowhere' })).rejects.toThrow(RangeError);
  const again = await serve({ ...options, port: free });
  expect(again.url).toBe(`http://127.0.0.1:${free}`);
  await again.close();
});

test('answers probes and the overview', async () => {
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(await (await fetch(server.url)).text()).toContain('/reads/{id}');
});

test.each(['/nowhere', '//', '//reads/reads', '/healthz/foo', '/readyz/'])(
  'answers 404 with an error body for %s',
  async (path) => {
    const response = await fetch(server.url + path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ htsget: { error: 'NotFound' } });
  },
);

test('rejects other methods on operational paths with the error body of htsget', async () => {
  for (const path of ['/', '/healthz', '/readyz']) {
    expect((await fetch(server.url + path, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(server.url + path, { method: 'POST' })).ok, path).toBe(false);
    const preflight = await fetch(server.url + path, { method: 'OPTIONS', headers: { origin: 'https://a.example' } });
    expect(await preflight.text(), path).not.toMatch(/^ok|^htskit/);
  }
});
