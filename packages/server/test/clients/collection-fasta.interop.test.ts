import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IndexedFasta } from '@gmod/indexedfasta';
import { createRandom, fixturePath } from '@htskit/testing';
import { RemoteFile } from 'generic-filehandle2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runProgram } from '../../src/program.js';
import { type RunningServer, serve } from '../../src/runtime/serve.js';
import { lines, runTools } from '../interop-tools.js';
import { collectionOf } from './collection-of.js';
import { installedVersion } from './installed-version.js';

const GENOME = fixturePath('genome.fa');
/** Random regions of each reference, besides its first and last bases. */
const RANDOM_REGIONS = 12;

let folder = '';
const servers: RunningServer[] = [];
const urls = new Map<string, string>();

/** The genome in each form that can be served. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  const store = join(folder, 'store');
  await runProgram(['refget', 'import', GENOME, '--store', store]);
  for (const path of [GENOME, `${GENOME}.gz`, store]) {
    const server = await serve({ paths: [path], host: '127.0.0.1', port: 0, authority: 'ga4gh', log: () => undefined });
    servers.push(server);
    await server.sequences.settled();
    urls.set(path, `${server.url}/collection/${await collectionOf(server.url)}/fasta`);
  }
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  rmSync(folder, { recursive: true });
});

interface Region {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

async function regionsOf(): Promise<readonly Region[]> {
  const random = createRandom(19);
  const [list = ''] = await runTools([['cat', `${GENOME}.fai`]]);
  return lines(list).flatMap((line) => {
    const [name = '', size = ''] = line.split('\t');
    const length = Number(size);
    const some = Array.from({ length: RANDOM_REGIONS }, () => {
      const start = Math.floor(random() * length);
      return { name, start, end: start + 1 + Math.floor(random() * (length - start)) };
    });
    return [
      { name, start: 0, end: 1 },
      { name, start: length - 1, end: length },
      { name, start: 0, end: length },
      ...some,
    ];
  });
}

/** Braces keep a name with a colon apart from the region. */
const toText = ({ name, start, end }: Region): string => `{${name}}:${start + 1}-${end}`;

const basesOf = (text: string): string[] =>
  text
    .split('>')
    .slice(1)
    .map((record) => lines(record).slice(1).join('').toUpperCase());

test(`samtools faidx and @gmod/indexedfasta ${installedVersion('@gmod/indexedfasta')} read regions by HTTP`, async () => {
  const regions = await regionsOf();
  const texts = regions.map(toText);
  const [local = '', ...served] = await runTools(
    [GENOME, ...urls.values()].map((file) => ['samtools', 'faidx', file, ...texts]),
  );
  const expected = basesOf(local);
  expect(expected).toHaveLength(regions.length);
  expect(served).toHaveLength(3);
  for (const text of served) expect(basesOf(text)).toEqual(expected);
  for (const url of urls.values()) {
    const fasta = new IndexedFasta({ fasta: new RemoteFile(url), fai: new RemoteFile(`${url}.fai`) });
    const found = await Promise.all(regions.map(({ name, start, end }) => fasta.getSequence(name, start, end)));
    expect(found).toEqual(expected);
  }
});

test('samtools writes the same index of the downloaded file', async () => {
  const [url = ''] = urls.values();
  const file = join(folder, 'downloaded.fa');
  const [fasta, index] = await Promise.all([url, `${url}.fai`].map(async (each) => (await fetch(each)).text()));
  writeFileSync(file, fasta ?? '');
  await runTools([['samtools', 'faidx', file]]);
  expect(index).toBe(readFileSync(`${file}.fai`, 'utf8'));
  expect(lines(index ?? '').length).toBeGreaterThan(1);
});
