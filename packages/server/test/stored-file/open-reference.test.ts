import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openReference } from '@htskit/records/internal';
import { encodeTwoBit, expectations, fixturePath } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../src/runtime/serve.js';

import { runCommand } from '../run-command.js';

const { sequences, slices } = expectations('genome.fa');
const SLICES = slices.filter(({ start, end }) => start < end);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const EXPECTED = SLICES.map(({ bases }) => bases.toUpperCase());

/** Returns the bases of the slices at a location; that of an unknown sequence is undefined. */
async function slicesAt(location: string): Promise<(string | undefined)[]> {
  const bases = await openReference(location);
  const unknown = { name: 'unknown', md5: '0'.repeat(32), length: 9, start: 0, end: 5 };
  const requests = SLICES.map(({ name, start, end }) => {
    const { md5, length = 0 } = sequences.find((sequence) => sequence.name === name) ?? {};
    return { name, md5, length, start, end };
  });
  const found: (string | undefined)[] = [];
  for (const request of [...requests, unknown]) {
    const bytes = await bases({ ...request, signal: undefined });
    found.push(bytes && new TextDecoder().decode(bytes).toUpperCase());
  }
  return found;
}

describe('of a FASTA', () => {
  test.each(['genome.fa', 'genome.fa.gz'])('reads %s', async (name) => {
    expect(await slicesAt(fixturePath(name))).toEqual([...EXPECTED, undefined]);
  });

  test.each(['genome.fa', 'genome.fa.gz'])('reads %s without its indexes', async (name) => {
    const copy = join(folder, name);
    copyFileSync(fixturePath(name), copy);
    expect(await slicesAt(copy)).toEqual([...EXPECTED, undefined]);
  });
});

test('reads a 2bit file by name', async () => {
  const path = join(folder, 'genome.2bit');
  writeFileSync(path, encodeTwoBit([{ name: 'chrT', bases: 'ACGTNACGTA' }]));
  const bases = await openReference(path);
  const request = { name: 'chrT', md5: undefined, length: 10, start: 2, end: 20, signal: undefined };
  expect(new TextDecoder().decode(await bases(request))).toBe('GTNACGTA');
});

test('reads a sequence store by MD5', async () => {
  const store = join(folder, 'store');
  expect((await runCommand(['refget', 'import', fixturePath('genome.fa'), '--store', store])).code).toBe(0);
  expect(await slicesAt(store)).toEqual([...EXPECTED, undefined]);
});

test('reads a refget server by MD5', async () => {
  const options = { host: '127.0.0.1', port: 0, authority: 'ga4gh', log: () => undefined } as const;
  const server = await serve({ ...options, paths: [fixturePath('genome.fa')] });
  onTestFinished(() => server.close());
  expect(await slicesAt(server.url)).toEqual([...EXPECTED, undefined]);
});

test('knows no bases without an MD5 in a store or on a server', async () => {
  const bases = await openReference('http://127.0.0.1:1');
  expect(await bases({ name: 'a', md5: undefined, length: 9, start: 0, end: 5, signal: undefined })).toBeUndefined();
});
