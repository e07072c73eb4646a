import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indexVcf } from '@htskit/indexes';
import { openVariants } from '@htskit/records';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, serve } from '../../src/runtime/serve.js';
import { runCommand } from '../run-command.js';
import { createFiles, orNull } from './agreement.js';
import { bgzip, recordLines } from './variant-answers.js';
import { createVcf, type VcfFile } from './vcf-files.js';

/** Each is read by about ten ways, one of which is a server. */
const FILE_COUNT = 30;

const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
const files: (VcfFile & { readonly seed: number; readonly path: string })[] = [];
let server: RunningServer;

beforeAll(async () => {
  for (const file of createFiles(createVcf).slice(0, FILE_COUNT)) {
    const path = join(folder, `v${file.seed}.vcf.gz`);
    const bytes = bgzip(new TextEncoder().encode(file.text));
    writeFileSync(path, bytes);
    writeFileSync(`${path}.tbi`, await indexVcf(new Blob([bytes]).stream()));
    files.push({ ...file, path });
  }
  const options = { paths: [folder], host: '127.0.0.1', port: 0, authority: 'ga4gh', log: () => undefined } as const;
  server = await serve({ ...options, htsget: { precision: 'exact' } });
}, 60_000);
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
}, 60_000);

type Source = Parameters<typeof openVariants>[0];

/** Returns the names of the references that have records, and the places of all records: read as a whole and by regions. */
async function placesOf(source: Source, { byRegion }: { readonly byRegion: boolean }): Promise<string[]> {
  const file = await openVariants(source, { onWarning: () => undefined });
  try {
    // Requests cannot name a contig whose name is empty, which no record has.
    const named = file.references.filter(({ name }) => name !== '');
    const regions = byRegion ? named.map(({ name }) => ({ referenceName: name })) : undefined;
    const places: string[] = [];
    for await (const { referenceName, start, id = '.' } of file.records(regions)) {
      places.push(`${referenceName}\t${start + 1}\t${id}`);
    }
    return places.sort();
  } finally {
    await file.close();
  }
}

/** Returns the output of a command, or null if it fails. */
async function outputOf(...args: string[]): Promise<string | null> {
  const { code, stdout } = await runCommand(args);
  return code === 0 ? stdout : null;
}

function placesOfLines(text: string | null): string[] | null {
  return text === null
    ? null
    : recordLines(text)
        .map((line) => line.trimEnd().split('\t').slice(0, 3).join('\t'))
        .sort();
}

test('odd header lines mean the same to the library, to view and get, and to the server', async () => {
  let converted = 0;
  for (const { seed, text, path } of files) {
    const expected = placesOfLines(text);
    const bcf = join(folder, `view-${seed}.bcf`);
    const got = join(folder, `get-${seed}.bcf`);
    const url = `${server.url}/variants/v${seed}`;
    const asStored = {
      records: await placesOf(path, { byRegion: false }),
      regions: await placesOf(path, { byRegion: true }),
      view: placesOfLines(await outputOf('view', '--without-header', path)),
      served: await placesOf({ htsget: url, format: 'VCF' }, { byRegion: false }),
      'served regions': await placesOf({ htsget: url, format: 'VCF' }, { byRegion: true }),
    };
    for (const [surface, places] of Object.entries(asStored)) expect(places, `${surface} of ${text}`).toEqual(expected);
    const isConverted = (await outputOf('view', '-b', '-o', bcf, path)) !== null;
    const isGot = (await outputOf('get', '-q', path, '--format', 'BCF', '-o', got)) !== null;
    const asBcf = {
      view: isConverted ? await placesOf(bcf, { byRegion: false }) : null,
      get: isGot ? await placesOf(got, { byRegion: false }) : null,
      'view of BCF': isConverted ? placesOfLines(await outputOf('view', '--without-header', bcf)) : null,
      served: await orNull(() => placesOf({ htsget: url, format: 'BCF' }, { byRegion: false })),
    };
    if (isConverted) converted++;
    for (const [surface, places] of Object.entries(asBcf)) {
      expect(places, `${surface} as BCF of ${text}`).toEqual(isConverted ? expected : null);
    }
  }
  expect(converted).toBeGreaterThan(FILE_COUNT / 2);
});
