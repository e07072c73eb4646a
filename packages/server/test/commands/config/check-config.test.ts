import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFasta } from '@htskit/sequences';
import { fileSource } from '@htskit/storage/file';
import { folderStore } from '@htskit/storage/folder';
import { s3ObjectStore } from '@htskit/storage/s3';
import { fixturePath, readFixture } from '@htskit/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ConfigReport, checkConfig } from '../../../src/commands/config/check-config.js';
import { formatReport } from '../../../src/commands/config/config-command.js';
import { startBucket, type TestBucket } from '../../bucket.js';

let folder: string;
let bucket: TestBucket;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  mkdirSync(join(folder, 'data/deep'), { recursive: true });
  bucket = await startBucket();
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_SESSION_TOKEN', '');
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await bucket.server.close();
  rmSync(folder, { recursive: true });
});

function copy(fixture: string, path: string): void {
  cpSync(fixturePath(fixture), join(folder, path));
}

/** The report, with the folder and the name of the file left out of it. */
async function check(...lines: readonly string[]): Promise<string[]> {
  const file = join(folder, 'htskit.yaml');
  const text = [`s3: { endpoint: "${bucket.server.endpoint}", forcePathStyle: true }`, ...lines].join('\n');
  const report: ConfigReport = await checkConfig({ file, text, environment: process.env });
  return formatReport(report).map((line) => line.replaceAll(`${folder}/`, ''));
}

test('reports the files of each location and those without an index', async () => {
  copy('reads.bam', 'data/a.bam');
  copy('reads.bam.bai', 'data/a.bai');
  copy('variants.bcf', 'data/deep/b.bcf');
  copy('genome.fa.gz', 'genome.fa.gz');
  await importFasta({
    store: s3ObjectStore({ ...bucket.s3, bucket: 'bucket', prefix: 'store/' }),
    data: fileSource(fixturePath('crlf.fa')),
    namingAuthority: 'insdc',
  });
  await importFasta({ store: folderStore(join(folder, 'store')), data: fileSource(fixturePath('crlf.fa')) });
  await bucket.put({ 'trio/c.cram': 'reads.cram', 'trio/d.bam': 'reads.bam', 'trio/d.bam.bai': 'reads.bam.bai' });
  const lines = await check(
    'htsget:',
    '  locations:',
    '    - location: data',
    '    - { prefix: x/y, location: s3://bucket/trio }',
    '    - { id: A, location: s3://bucket/trio/c.cram }',
    '    - { location: data/deep/b.bcf, index: s3://bucket/trio/d.bam.bai }',
    'refget:',
    '  sources:',
    '    - location: genome.fa.gz',
    '    - location: store',
    '    - location: s3://bucket/store',
  );
  expect(lines).toEqual([
    'htsget data: 2 files',
    '  without an index: deep/b (BCF)',
    'htsget s3://bucket/trio: 2 files',
    '  without an index: x/y/c (CRAM)',
    'htsget s3://bucket/trio/c.cram: 1 file',
    '  without an index: A (CRAM)',
    'htsget data/deep/b.bcf: 1 file',
    'refget genome.fa.gz: 1 file',
    'refget store: a store',
    'refget s3://bucket/store: a store, with aliases by insdc',
    'htskit.yaml is valid',
  ]);
});

test('reports CRAM files that need a reference, if no sequences are configured', async () => {
  for (const name of ['a.cram', 'deep/b.cram']) {
    copy('referenced/reads.cram', `data/${name}`);
    copy('referenced/reads.cram.crai', `data/${name}.crai`);
  }
  copy('reads.cram', 'data/c.cram');
  copy('reads.cram.crai', 'data/c.cram.crai');
  copy('genome.fa.gz', 'genome.fa.gz');
  const htsget = ['htsget:', '  locations:', '    - location: data'];
  const warning = '  without the reference of CRAM, so not as BAM: reads/a, reads/deep/b';
  expect(await check(...htsget)).toEqual(['htsget data: 3 files', warning, 'htskit.yaml is valid']);
  const lines = await check(...htsget, 'refget:', '  sources:', '    - location: genome.fa.gz');
  expect(lines).not.toContain(warning);
});

test('reports the local files that are truncated or may be', async () => {
  copy('reads.bam', 'data/whole.bam');
  copy('no-eof.bam', 'data/unmarked.bam');
  copy('reads.bam.bai', 'data/cut.bam.bai');
  writeFileSync(join(folder, 'data/cut.bam'), readFixture('reads.bam').subarray(0, 100_000));
  writeFileSync(join(folder, 'data/deep/cut.cram'), readFixture('reads.cram').subarray(0, 100_000));
  const lines = await check(
    'htsget:',
    '  locations:',
    '    - { location: data, prefix: x }',
    '    - { location: data/cut.bam }',
  );
  const suspect = lines.filter((line) => line.includes(': the file '));
  expect(suspect.sort()).toEqual([
    expect.stringMatching(/^ {2}cut \(BAM\): the file is truncated: it ends within a block; copy or write it again/),
    expect.stringMatching(/^ {2}x\/cut \(BAM\): the file is truncated: it ends within a block/),
    expect.stringMatching(/^ {2}x\/deep\/cut \(CRAM\): the file is truncated: it lacks its EOF container/),
    expect.stringMatching(/^ {2}x\/unmarked \(BAM\): the file lacks its EOF marker and may be truncated/),
  ]);
});

test('reports each unreadable location with its place, and the others', async () => {
  copy('reads.bam', 'data/a.bam');
  writeFileSync(join(folder, 'aliases.tsv'), 'one column\n');
  bucket.server.interfere = ({ query }) =>
    query.get('prefix') === 'denied/' ? { status: 403, headers: {}, body: new Uint8Array() } : undefined;
  const lines = await check(
    'htsget:',
    '  locations:',
    '    - location: nowhere',
    '    - location: data',
    '    - { location: s3://bucket/missing.bam }',
    '    - { location: s3://other/x }',
    '    - { location: s3://bucket/denied }',
    '    - { location: data/a.bam, index: s3://bucket/missing.bai }',
    'refget:',
    '  sources:',
    '    - location: data',
    '    - location: s3://bucket/none',
    `    - { location: "${fixturePath('genome.fa')}", aliases: aliases.tsv }`,
    'listen:',
    '  tls: { cert: cert.pem, key: key.pem }',
  );
  expect(lines).toEqual([
    expect.stringMatching(/^htskit\.yaml:4:17: htsget\.locations\[0\]\.location: .*nowhere: no such file or folder$/),
    'htskit.yaml:6:19: htsget.locations[2].location: no such file',
    expect.stringMatching(/^htskit\.yaml:7:19: htsget\.locations\[3\]\.location: /),
    expect.stringMatching(/^htskit\.yaml:8:19: htsget\.locations\[4\]\.location: /),
    'htskit.yaml:9:19: htsget.locations[5].location: no such index',
    'htskit.yaml:12:17: refget.sources[0].location: no FASTA file, 2bit file or sequence store found',
    expect.stringMatching(/^htskit\.yaml:13:17: refget\.sources\[1\]\.location: /),
    'htskit.yaml:14:19: refget.sources[2].location: aliases.tsv: expected three columns (name or digest, alias, naming authority), found 1',
    expect.stringMatching(/^htskit\.yaml:16:8: listen\.tls: .*(?:cert|key)\.pem: no such file or folder$/),
    'htsget data: 1 file',
    '  without an index: a (BAM)',
    'htskit.yaml has 9 problems',
  ]);
});

test('reports only the faults of an invalid text', async () => {
  expect(await check('lstien: {}')).toEqual([
    'htskit.yaml:2:1: lstien: unknown key; did you mean "listen"?',
    'htskit.yaml has 1 problem',
  ]);
});

test('reports a configuration that serves nothing', async () => {
  expect(await check()).toEqual(['nothing to serve: no locations', 'htskit.yaml is valid']);
});

test('reports a missing bucket as such for every kind of location', async () => {
  const lines = await check(
    'htsget: { locations: [{ location: s3://absent }, { location: s3://absent/a.bam }, { location: s3://bucket/a.bam }] }',
    'refget: { sources: [{ location: s3://absent/store }] }',
  );
  expect(lines.filter((line) => line.includes(': htsget.') || line.includes(': refget.'))).toEqual([
    expect.stringMatching(/locations\[0\]\.location: .*no such bucket$/) as string,
    expect.stringMatching(/locations\[1\]\.location: .*no such bucket$/) as string,
    expect.stringMatching(/locations\[2\]\.location: .*no such file$/) as string,
    expect.stringMatching(/sources\[0\]\.location: .*no such bucket$/) as string,
  ]);
});

test('names the entries whose table or folder cannot be read', async () => {
  writeFileSync(join(folder, 'ids.tsv'), 'a\n');
  const lines = await check('htsget:', '  locations:', '    - { ids: ids.tsv }', '    - { location: absent }');
  expect(lines.filter((line) => line.includes('locations['))).toEqual([
    expect.stringContaining('htsget.locations[0].ids: ids.tsv: line 1: expected an id, a location'),
    expect.stringContaining('htsget.locations[1].location: absent: no such file or folder'),
  ]);
});
