import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CramReferenceRequest } from '@htskit/htsget';
import { createCatalogue } from '@htskit/refget';
import { expectations, readFixture } from '@htskit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../../src/config/parse-config.js';
import { createReferenceSource } from '../../../src/runtime/references/reference-source.js';

const [chr1] = expectations('genome.fa').sequences;
if (chr1 === undefined) throw new Error('the fixture has no sequences');
const { name, length, md5 } = chr1;

/** Creates a folder that may be read and one that may not, with the same genome. */
function createFolders(): { allowed: string; other: string } {
  const root = mkdtempSync(join(tmpdir(), 'htskit-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [allowed, other] = [join(root, 'allowed'), join(root, 'allowed-not')];
  for (const folder of [allowed, other]) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'genome.fa'), readFixture('genome.fa'));
  }
  writeFileSync(join(allowed, 'genome.txt'), readFixture('genome.fa'));
  symlinkSync(join(other, 'genome.fa'), join(allowed, 'link.fa'));
  symlinkSync(join(allowed, 'genome.fa'), join(other, 'link.fa'));
  return { allowed, other };
}

type Read = (request: Partial<CramReferenceRequest>) => Promise<string | undefined>;

/** Reads bases with a server that has no sequences of its own. */
function reader(folders: readonly string[] | undefined): Read {
  const source = createReferenceSource(createCatalogue([]), { folders });
  return async (request) => {
    const bases = await source({ name, length, md5, start: 100, end: 110, signal: undefined, ...request });
    return bases && new TextDecoder().decode(bases);
  };
}

test('reads the file that UR names below an allowed folder', async () => {
  const { allowed, other } = createFolders();
  const read = reader([join(allowed, 'missing'), allowed]);
  const uri = join(allowed, 'genome.fa');
  const expected = await read({ uri });
  expect(expected).toMatch(/^[A-Za-z]{10}$/);
  expect(await read({ uri: pathToFileURL(uri).href })).toBe(expected);
  expect(await read({ uri: `file://localhost${uri}` })).toBe(expected);
  expect(await read({ uri, md5: undefined })).toBe(expected);
  expect(await read({ uri: join(other, 'link.fa') })).toBe(expected);
});

test('reads no other file', async () => {
  const { allowed, other } = createFolders();
  const read = reader([allowed]);
  const uris = [
    undefined,
    join(other, 'genome.fa'),
    join(allowed, '../allowed-not/genome.fa'),
    join(allowed, 'link.fa'),
    join(allowed, 'genome.txt'),
    join(allowed, 'missing.fa'),
    join(allowed, 'genome.fa/more.fa'),
    `${join(allowed, 'genome.fa')}\0.fa`,
    'genome.fa',
    `file://host${join(allowed, 'genome.fa')}`,
    'file:///%ff',
    'http://127.0.0.1:1/genome.fa',
  ];
  for (const uri of uris) expect([uri, await read({ uri })]).toEqual([uri, undefined]);
  for (const folders of [undefined, []]) {
    expect(await reader(folders)({ uri: join(allowed, 'genome.fa') })).toBeUndefined();
  }
});

test('reads only the sequence of the length and MD5 of the header', async () => {
  const { allowed } = createFolders();
  const read = reader([allowed]);
  const uri = join(allowed, 'genome.fa');
  expect(await read({ uri, md5: '0'.repeat(32) })).toBeUndefined();
  expect(await read({ uri, md5: undefined, length: length - 1 })).toBeUndefined();
  expect(await read({ uri, md5: undefined, length: length + 1 })).toBeUndefined();
  expect(await read({ uri, name: 'missing' })).toBeUndefined();
  writeFileSync(
    uri,
    Buffer.from(readFixture('genome.fa'))
      .toString('latin1')
      .replace(/[ACGT](?=[ACGT])/, 'N'),
  );
  expect(await read({ uri })).toBeUndefined();
});

test('reads a file anew that was overwritten and got its old time back', async () => {
  const { allowed } = createFolders();
  const read = reader([allowed]);
  const uri = join(allowed, 'genome.fa');
  // A time without fractions of a second can be restored exactly.
  const time = new Date('2026-01-01');
  utimesSync(uri, time, time);
  expect(await read({ uri })).toBeDefined();
  const { ctimeMs } = statSync(uri);
  writeFileSync(uri, Buffer.from(readFixture('genome.fa')).toString('latin1').replaceAll('A', 'N'));
  // A coarse clock of the file system may still show the old time.
  do utimesSync(uri, time, time);
  while (statSync(uri).ctimeMs === ctimeMs);
  expect(await read({ uri })).toBeUndefined();
});

test('is a setting of its own', () => {
  const { config } = parseConfig('reference: { ur: [./genomes] }', { file: 'htskit.yaml', environment: {} });
  expect(config.reference).toEqual({ ur: ['./genomes'] });
});
