import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath } from '@htskit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../src/runtime/serve.js';

/** A time without fractions of a second, which can be restored exactly. */
const TIME = new Date('2026-01-01');

/** Overwrites a file in place with other bytes, and restores its modification time. */
function overwriteUnnoticed(path: string): void {
  const { ctimeMs } = statSync(path);
  writeFileSync(
    path,
    readFileSync(path).map((byte) => ~byte),
    { flag: 'r+' },
  );
  // A coarse clock of the file system may still show the old time.
  do utimesSync(path, TIME, TIME);
  while (statSync(path).ctimeMs === ctimeMs);
}

test('block URLs are refused once a file was overwritten in place and got its old time back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['reads.bam', 'reads.bam.bai']) cpSync(fixturePath(name), join(folder, name));
  utimesSync(join(folder, 'reads.bam'), TIME, TIME);
  const log = (): void => undefined;
  const server = await serve({ paths: [folder], host: '127.0.0.1', port: 0, authority: 'ga4gh', log });
  onTestFinished(() => server.close());
  const statusesOf = async (urls: readonly string[]): Promise<Set<number>> =>
    new Set(await Promise.all(urls.map(async (url) => (await fetch(url)).status)));
  const ticket = async (query: string): Promise<string[]> => {
    const response = await fetch(`${server.url}/reads/reads${query}`);
    const { htsget } = (await response.json()) as { htsget: { urls: { url: string }[] } };
    return htsget.urls.map(({ url }) => url).filter((url) => url.startsWith('http'));
  };
  const urls = [...(await ticket('')), ...(await ticket('?referenceName=chr1&start=1000&end=90000'))];
  expect(await statusesOf(urls)).toEqual(new Set([200]));
  overwriteUnnoticed(join(folder, 'reads.bam'));
  expect(await statusesOf(urls)).toEqual(new Set([409]));
});
