import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath, readFixture } from '@htskit/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { FolderListing } from '../../../src/commands/ls/list-folder.js';
import type { ServiceListing } from '../../../src/commands/ls/list-service.js';
import { serve } from '../../../src/runtime/serve.js';
import { startBucket } from '../../bucket.js';
import { runCommand } from '../../run-command.js';

/** Creates a folder with copies of fixtures. */
function createFolder(...names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of names) copyFileSync(fixturePath(name), join(folder, name));
  return folder;
}

async function listJson<Listing>(...args: string[]): Promise<Listing> {
  const { code, stdout, stderr } = await runCommand(['ls', '--json', ...args]);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Listing;
}

test('lists the objects and sequences of a folder as a table', async () => {
  const folder = createFolder('reads.bam', 'reads.bam.bai', 'v21.cram', 'v21.cram.crai', 'genome.fa');
  const { code, stdout } = await runCommand(['ls', '.'], folder);
  expect(code).toBe(0);
  const lines = stdout.split('\n');
  expect(lines.slice(0, 5)).toEqual([
    '.: 2 objects, 5 sequences',
    '',
    'object       formats   stored    bytes  index  references',
    'reads/reads  BAM       BAM     323,817  BAI             5',
    'reads/v21    BAM CRAM  CRAM     98,988  CRAI            5',
  ]);
  expect(lines[6]).toMatch(/^sequence +length {2}md5 +sha512t24u$/);
  expect(lines[7]).toMatch(
    /^chr1 +150,000 {2}8d7cdef404cd54bc03939a96b12c7488 {2}SQ\.juDEKUaXTUlhx7Mxp1FvFS4s9HYGnfFW$/,
  );
});

test('lists the same as JSON, several files of an object together', async () => {
  const folder = createFolder('reads.bam', 'reads.bam.bai', 'reads.cram', 'reads.cram.crai', 'genome.fa');
  const { objects, sequences } = await listJson<FolderListing>(folder);
  expect(objects).toMatchObject([
    {
      datatype: 'reads',
      id: 'reads',
      formats: ['BAM', 'CRAM'],
      files: [
        { format: 'BAM', bytes: 323_817, index: { type: 'BAI' }, references: 5, warnings: [] },
        { format: 'CRAM', index: { type: 'CRAI' }, references: 5, warnings: [] },
      ],
    },
  ]);
  expect(sequences[0]).toMatchObject({ name: 'chr1', length: 150_000, md5: '8d7cdef404cd54bc03939a96b12c7488' });
});

test('warns of CRAM files whose reference is not served', async () => {
  const folder = createFolder();
  for (const name of ['reads.cram', 'reads.cram.crai'])
    copyFileSync(fixturePath(`referenced/${name}`), join(folder, name));
  const warnings = async (): Promise<readonly string[]> => {
    const { objects } = await listJson<FolderListing>(folder);
    return objects.flatMap(({ files }) => files.flatMap((file) => file.warnings));
  };
  const missing = 'reference "chr1" (MD5 8d7cdef404cd54bc03939a96b12c7488) is not available here';
  const expected = [`BAM of this object is made from CRAM, whose ${missing}; format=CRAM needs no reference`];
  expect(await warnings()).toEqual(expected);
  const logged: string[] = [];
  const options = { paths: [folder], host: '127.0.0.1', port: 0, authority: 'ga4gh' } as const;
  const server = await serve({ ...options, log: (message) => logged.push(message) });
  onTestFinished(() => server.close());
  await expect.poll(() => logged).toEqual([`reads/reads: ${expected[0]}`]);
  copyFileSync(fixturePath('genome.fa'), join(folder, 'genome.fa'));
  expect(await warnings()).toEqual([]);
});

test('warns of files that are not served as they should be', async () => {
  const folder = createFolder('reads.bam', 'reads.bam.bai', 'v21.cram', 'v21.cram.crai', 'variants.bcf');
  utimesSync(join(folder, 'reads.bam.bai'), 1, 1);
  writeFileSync(join(folder, 'v21.cram'), readFixture('v21.cram').subarray(0, 50_000));
  utimesSync(join(folder, 'v21.cram'), 1, 1);
  writeFileSync(join(folder, 'marker.bam'), readFixture('reads.bam').subarray(0, -28));
  writeFileSync(join(folder, 'text.bam'), 'text');
  const { objects } = await listJson<FolderListing>(folder);
  const warnings = objects.map(({ id, files }) => [id, ...files.flatMap((file) => file.warnings)]);
  expect(warnings).toEqual([
    ['marker', expect.stringMatching(/lacks its .* may be truncated/), 'no index: htskit index writes it'],
    ['reads', 'the index is older than the file'],
    ['text', expect.stringMatching(/^expected a BGZF block header/)],
    ['v21', expect.stringMatching(/^the file is truncated/)],
    ['variants', 'no index: htskit index writes it'],
  ]);
  const { stdout } = await runCommand(['ls', folder]);
  expect(stdout).toMatch(/\nwarning: .*reads\.bam: the index is older than the file\n/);
});

test('lists what a service says that it serves', async () => {
  const paths = [createFolder('reads.cram', 'reads.cram.crai', 'genome.fa')];
  const common = { host: '127.0.0.1', port: 0, authority: 'ga4gh', settlesFirst: true, log: () => undefined } as const;
  const server = await serve({ ...common, paths });
  onTestFinished(() => server.close());
  const listing = await listJson<ServiceListing>(`${server.url}/?token=SECRET`);
  expect(listing).toMatchObject({
    source: `${server.url}/`,
    protocols: [
      { path: 'reads', type: 'htsget 1.3.1', supported: ['BAM', 'CRAM'] },
      { path: 'variants', type: 'htsget 1.3.1', supported: ['VCF', 'BCF'] },
      { path: 'sequence', type: 'refget 2.0.0', supported: ['md5', 'ga4gh', 'trunc512'] },
    ],
    objects: [{ datatype: 'reads', id: 'reads', formats: ['BAM', 'CRAM'] }],
    isComplete: true,
  });
  const { stdout } = await runCommand(['ls', server.url]);
  expect(stdout).toMatch(/\nobject +formats\nreads\/reads +BAM CRAM\n$/);
});

test('lists all objects of a service that lists them in pages', async () => {
  const folder = createFolder('empty.bam');
  for (let index = 0; index < 204; index++) copyFileSync(fixturePath('empty.bam'), join(folder, `a${index}.bam`));
  const common = { host: '127.0.0.1', port: 0, authority: 'ga4gh', log: () => undefined } as const;
  const server = await serve({ ...common, paths: [folder] });
  onTestFinished(() => server.close());
  const { objects = [], isComplete } = await listJson<ServiceListing>(server.url);
  expect([new Set(objects.map(({ id }) => id)).size, objects.length, isComplete]).toEqual([205, 205, true]);
});

test('lists a service that does not list its objects', async () => {
  const info = { name: 'one', type: { artifact: 'htsget', version: '1.2.0' }, htsget: { formats: ['BAM'] } };
  const service = createServer(({ url }, response) =>
    response.writeHead(url === '/a/reads/service-info' ? 200 : 404).end(JSON.stringify(info)),
  ).listen(0, '127.0.0.1');
  onTestFinished(() => void service.close());
  await once(service, 'listening');
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const protocols = [{ path: 'reads', type: 'htsget 1.2.0', name: 'one', supported: ['BAM'] }];
  expect(await listJson(`${url}/a`)).toEqual({ source: `${url}/a/`, protocols });
  const { code, stderr } = await runCommand(['ls', `${url}/b?token=SECRET`]);
  expect([code, stderr]).toEqual([
    1,
    `htskit: there is no htsget or refget service below ${url}/b/; expected the part of its URLs before /reads, /variants or /sequence\n`,
  ]);
});

test.each([
  ['no folder', [], 2, /^error: /],
  ['an invalid URL', ['http://:x'], 2, /^error: invalid URL/],
  ['a header for a folder', ['-H', 'A: b', '.'], 2, /^error: --http-header applies only to a URL/],
  ['a cache for a service', ['--cache', 'a', 'http://127.0.0.1:2/'], 2, /^error: --cache applies only to a file/],
  ['a missing folder', ['nothing'], 1, /^htskit: nothing: no such file or folder\n$/],
  ['a missing service', ['http://127.0.0.1:2/'], 1, /^htskit: cannot connect to 127\.0\.0\.1:2: connection refused\n$/],
])('rejects %s', async (_, args, exitCode, message) => {
  const { code, stdout, stderr } = await runCommand(['ls', ...args]);
  expect([code, stdout]).toEqual([exitCode, '']);
  expect(stderr).toMatch(message);
});

test('lists the objects of a bucket, and those below a prefix', async () => {
  const bucket = await startBucket();
  onTestFinished(() => bucket.server.close());
  const { endpoint, credentials } = bucket.s3;
  vi.stubEnv('AWS_ENDPOINT_URL', endpoint);
  vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey);
  await bucket.put({ 'a/x.bam': 'reads.bam', 'a/x.bam.bai': 'reads.bam.bai', 'b/y.vcf.gz': 'variants.vcf.gz' });
  const whole = await listJson<FolderListing>(`s3://${bucket.server.bucket}`);
  expect(whole.objects.map(({ datatype, id }) => `${datatype}/${id}`)).toEqual(['reads/a/x', 'variants/b/y']);
  const { objects } = await listJson<FolderListing>(`s3://${bucket.server.bucket}/a`);
  expect(objects).toMatchObject([
    { id: 'x', files: [{ format: 'BAM', bytes: 323_817, index: { type: 'BAI' }, references: 5, warnings: [] }] },
  ]);
});
