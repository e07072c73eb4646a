import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectations, fixturePath } from '@htskit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningServer, serve } from '../../src/runtime/serve.js';

let folder: string;
let server: RunningServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  cpSync(fixturePath('genome.fa.gz'), join(folder, 'genome.fa.gz'));
  cpSync(fixturePath('genome.fa'), join(folder, 'copy.fa'));
  writeFileSync(join(folder, 'base.fa'), '>chrX\nTTGGGGAA\n>chr1\nGGAA\n>chr2\nGCGC\n');
  server = await serve({ paths: [folder], host: '127.0.0.1', port: 0, authority: 'ga4gh', log: () => undefined });
  await server.sequences.settled();
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

async function read(path: string, init?: RequestInit): Promise<unknown> {
  return (await fetch(server.url + path, init)).json();
}

// The collection of the compliance tests of refgenie/refget
const BASE = 'XZlrcEGi6mlopZ2uD8ObHkQB1d0oDwKk';

test('each FASTA is a sequence collection, and equal ones are one', async () => {
  const { results } = (await read('/list/collection')) as { results: string[] };
  expect(results).toHaveLength(2);
  expect(results).toContain(BASE);
  const genome = results.find((digest) => digest !== BASE);
  expect(await read(`/collection/${genome}`)).toMatchObject({
    names: expectations('genome.fa').sequences.map(({ name }) => name),
    sequences: expectations('genome.fa').sequences.map(({ sha512t24u }) => sha512t24u),
  });
});

test('serves every endpoint of sequence collections', async () => {
  const level1 = (await read(`/collection/${BASE}?level=1`)) as Record<string, string>;
  expect(await read(`/attribute/collection/names/${level1['names']}`)).toEqual(['chrX', 'chr1', 'chr2']);
  expect(await read('/service-info')).toMatchObject({ type: { artifact: 'refget-seqcol' } });
  const body = JSON.stringify(await read(`/collection/${BASE}`));
  const posted = await read(`/comparison/${BASE}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  expect(posted).toEqual(await read(`/comparison/${BASE}/${BASE}`));
});
