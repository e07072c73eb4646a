import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath } from '@htskit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { logStart } from '../../../src/commands/serve/start-report.js';
import { createLogger } from '../../../src/runtime/logger.js';
import { type ServeOptions, serve } from '../../../src/runtime/serve.js';
import { startBucket } from '../../bucket.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function copy(...names: string[]): void {
  for (const name of names) cpSync(fixturePath(name), join(folder, name));
}

/** Starts a server, and returns the lines that report its start in a format. */
async function report(
  format: 'json' | 'text',
  given: Partial<ServeOptions> = {},
  flags: { readonly config?: string } = {},
  { signal }: AbortController = new AbortController(),
): Promise<string[]> {
  const common = { host: '127.0.0.1', port: 0, authority: 'ga4gh', log: () => undefined } as const;
  const options = { ...common, paths: [folder], ...given };
  const server = await serve(options);
  const lines: string[] = [];
  const logger = createLogger({ format }, { stream: { write: (line: string) => void lines.push(line) } });
  const none = { circular: [], aliases: [], identity: [], examples: false };
  await logStart(server, { command: { paths: options.paths, flags: { ...none, ...flags } }, options, logger, signal });
  await server.close();
  return lines;
}

test('says in one line what is served, what is not, and whether everything is public', async () => {
  copy('reads.bam', 'reads.cram', 'variants.vcf.gz', 'genome.fa');
  cpSync(fixturePath('reads.bam'), join(folder, 'service-info.bam'));
  writeFileSync(join(folder, 'broken.2bit'), 'no');
  const more = `htskit ls ${folder}`;
  const line =
    `serving 2 objects and 5 sequences; 1 file ignored, 1 file of sequences damaged or unreadable: see ${more}; ` +
    'everything is public';
  expect(await report('text')).toEqual([`${line}\n`]);
  const [json = '', ...others] = await report('json');
  expect(others).toEqual([]);
  expect(JSON.parse(json)).toEqual({
    level: 'info',
    time: expect.any(String) as string,
    objects: 2,
    sequences: 5,
    stores: 0,
    unservedFiles: 1,
    failedFiles: 1,
    isPublic: true,
    msg: line,
  });
});

test('names the check of the configuration, and says that tokens are needed', async () => {
  copy('reads.bam');
  cpSync(fixturePath('reads.bam'), join(folder, 'service-info.bam'));
  const objectLocations = [{ location: { kind: 'path', path: folder } as const }];
  const htsget = { authorize: () => 'unauthenticated' as const };
  expect(await report('text', { paths: [], objectLocations, htsget }, { config: 'htskit.yaml' })).toEqual([
    'serving 1 object and 0 sequences; 1 file ignored: see htskit config check htskit.yaml; ' +
      'access needs a token, except to what auth.public names\n',
  ]);
});

test('says that a bucket may have more, or cannot be listed', async () => {
  const bucket = await startBucket();
  await bucket.put({ 'a.bam': 'empty.bam' });
  const objectLocations = [{ location: { kind: 's3', bucket: bucket.server.bucket, key: '' } as const }];
  const options = { paths: [], objectLocations, s3: bucket.s3 };
  expect(await report('text', options)).toEqual(['serving 1 or more objects and 0 sequences; everything is public\n']);
  expect(bucket.requests).toEqual(['GET ']);
  bucket.server.interfere = () => ({ status: 403, headers: {}, body: new Uint8Array() });
  expect(await report('text', options)).toEqual([
    'serving objects that cannot be listed and 0 sequences; everything is public\n',
  ]);
  await bucket.server.close();
});

test('says nothing once the server closes', async () => {
  const closing = new AbortController();
  closing.abort();
  expect(await report('text', {}, {}, closing)).toEqual([]);
});
