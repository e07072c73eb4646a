import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fixturePath } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, serve } from '../../../src/runtime/serve.js';
import { startBucket, type TestBucket } from '../../bucket.js';

const FILES = [
  'a b',
  ' leading and trailing ',
  'number#1',
  'é',
  'e\u0301',
  '日本語 🧬',
  '1+1',
  '100%',
  '%41%2F',
  `"quoted" 'names'`,
  'query?a=b&c=d',
  '<b>bold</b>',
  'back\\slash',
  'line\nreturn\rtab\t\u0001',
  'x/y z/.hidden',
  'x;y/...',
  'service-info/a',
].map((name) => `${name}.bam`);

/** The paths of the files as each list must have them. */
const PATHS = FILES.map((name) => `/reads/${name.slice(0, -4).split('/').map(encodeURIComponent).join('/')}`).sort();

let bucket: TestBucket;
let folder: string;
beforeAll(async () => {
  bucket = await startBucket();
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  await bucket.put(Object.fromEntries(FILES.map((name) => [`cohort 1/${name}`, 'empty.bam'])));
  for (const name of FILES) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(fixturePath('empty.bam'), join(folder, name));
  }
});
afterAll(async () => {
  await bucket.server.close();
  rmSync(folder, { recursive: true });
});

describe.each(['a bucket', 'a folder'])('files of any names in %s', (kind) => {
  let server: RunningServer;
  beforeAll(async () => {
    const common = { host: '127.0.0.1', port: 0, authority: 'ga4gh', log: () => undefined } as const;
    const location = { kind: 's3', bucket: bucket.server.bucket, key: 'cohort 1' } as const;
    const files = kind === 'a folder' ? { paths: [folder] } : { paths: [], objectLocations: [{ location }] };
    server = await serve({ ...common, ...files, s3: bucket.s3 });
  });
  afterAll(() => server.close());

  async function get(path: string, accept = 'application/json'): Promise<string> {
    const response = await fetch(server.url + path, { headers: { accept } });
    return response.text();
  }

  function pathsOf(listing: string): string[] {
    const { objects } = JSON.parse(listing) as { readonly objects: readonly { readonly id: string }[] };
    return objects.map(({ id }) => `/reads/${id.split('/').map(encodeURIComponent).join('/')}`).sort();
  }

  test('are all listed, for people, programs and the page', async () => {
    expect(pathsOf(await get('/'))).toEqual(PATHS);
    expect(pathsOf(await get('/page/objects'))).toEqual(PATHS);
    const lines = (await get('/', 'text/plain')).split('\n').map((line) => line.split('  ', 1)[0] ?? '');
    expect(lines.filter((path) => path.startsWith('/reads/') && !path.includes('{')).sort()).toEqual(
      ['/reads/service-info', ...PATHS].sort(),
    );
  });

  test.each(PATHS)('get a ticket, and are described: %s', async (path) => {
    expect(JSON.parse(await get(path))).toMatchObject({ htsget: { format: 'BAM' } });
    expect(JSON.parse(await get(`/page/objects${path}`))).toMatchObject({ files: [{ format: 'BAM' }] });
  });
});
