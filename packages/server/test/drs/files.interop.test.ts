import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BamFile } from '@gmod/bam';
import { fixturePath } from '@htskit/testing';
import { RemoteFile } from 'generic-filehandle2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningServer, serve } from '../../src/runtime/serve.js';
import { runTool } from '../interop-tools.js';

const FILES = [
  'reads.bam',
  'reads.bam.bai',
  'reads.cram',
  'reads.cram.crai',
  'multiref.cram',
  'multiref.cram.crai',
  'longref.bam',
  'longref.bam.csi',
  'variants.vcf.gz',
  'variants.vcf.gz.tbi',
  'variants.bcf',
  'variants.bcf.csi',
  'genome.fa.gz',
  'genome.fa.gz.fai',
  'genome.fa.gz.gzi',
];
const GENOME = fixturePath('genome.fa');

let folder = '';
let scratch = '';
let server: RunningServer;
let guarded: RunningServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
  for (const name of FILES) copyFileSync(fixturePath(name), join(folder, name));
  const options = { paths: [folder], host: '127.0.0.1', port: 0, authority: 'ga4gh', settlesFirst: true } as const;
  server = await serve({ ...options, log: () => undefined });
  const authorize = ({ request }: { readonly request: Request }): 'all' | 'unauthenticated' =>
    request.headers.get('authorization') === 'Bearer secret' ? 'all' : 'unauthenticated';
  guarded = await serve({ ...options, htsget: { authorize }, refget: { authorize }, log: () => undefined });
  writeFileSync(join(scratch, 'token.txt'), 'secret\n');
});
afterAll(async () => {
  await Promise.all([server, guarded].map((each) => each.close()));
  for (const each of [folder, scratch]) rmSync(each, { recursive: true });
});

/** Runs a command in a folder of its own, since htslib stores the indexes of URLs in the current one. */
function run(command: string): Promise<string> {
  const own = mkdtempSync(join(scratch, 'run-'));
  return runTool(['sh', '-c', `cd ${own} && ${command}`]);
}

const TOKEN = `HTS_AUTH_LOCATION=../token.txt HTS_ALLOW_UNENCRYPTED_AUTHORIZATION_HEADER='I understand the risks'`;

test.each([
  ['samtools view', 'reads.bam', 'chr1:1000-9000'],
  ['samtools view', 'reads.bam', ''],
  ['samtools view', 'longref.bam', ''],
  [`samtools view -T ${GENOME}`, 'reads.cram', 'chr1:1000-9000'],
  [`samtools view -T ${GENOME}`, 'multiref.cram', ''],
  ['samtools idxstats', 'reads.bam', ''],
  ['bcftools view -H', 'variants.vcf.gz', 'chr1:1000-20000'],
  ['bcftools view -H', 'variants.bcf', 'chr1:1000-20000'],
  ['tabix', 'variants.vcf.gz', 'chr1:1000-20000'],
  ['samtools faidx', 'genome.fa.gz', 'chr1:100-400'],
])('%s %s %s prints the same for the URL and for the file, with and without a token', async (command, name, region) => {
  const local = await run(`${command} ${join(folder, name)} ${region}`);
  expect(local).not.toBe('');
  expect(await run(`${command} ${server.url}/files/${name} ${region}`)).toBe(local);
  expect(await run(`${TOKEN} ${command} ${guarded.url}/files/${name} ${region}`)).toBe(local);
  await expect(run(`${command} ${guarded.url}/files/${name} ${region}`)).rejects.toThrow('ended with');
});

test('samtools finds the index beside the file', async () => {
  const own = mkdtempSync(join(scratch, 'index-'));
  await runTool(['sh', '-c', `cd ${own} && samtools view ${server.url}/files/reads.bam chr1:1-100`]);
  expect(readdirSync(own)).toEqual(['reads.bam.bai']);
});

test('curl resumes a download', async () => {
  const half = `head -c 100000 ${join(folder, 'reads.bam')} > part`;
  const compared = `cmp part ${join(folder, 'reads.bam')} && echo equal`;
  expect(await run(`${half} && curl -sf -C - -o part ${server.url}/files/reads.bam && ${compared}`)).toBe('equal\n');
});

test('@gmod/bam, which JBrowse reads with, reads a region of the URL', async () => {
  const open = (name: string): RemoteFile => new RemoteFile(`${server.url}/files/${name}`);
  const bam = new BamFile({ bamFilehandle: open('reads.bam'), baiFilehandle: open('reads.bam.bai') });
  await bam.getHeader();
  const records = await bam.getRecordsForRange('chr1', 1000, 9000);
  const count = await run(`samtools view -c ${join(folder, 'reads.bam')} chr1:1001-9000`);
  expect(records).toHaveLength(Number(count));
});
