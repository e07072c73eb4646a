import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateBlocks } from '@htskit/bgzf';
import { openRecords } from '@htskit/records';
import { bgunzip, fixturePath } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, serve } from '../../src/runtime/serve.js';
import { runCommand } from '../run-command.js';

let folder: string;
let server: RunningServer;
const pathOf = (name: string): string => join(folder, name);

/** Bytes at the start of a file before its records, in which names are replaced. */
const HEADER_BYTES = 1600;

/** Writes a fixture in whose header chr2 has the name chr1, with its index. */
async function writeRepeated(name: string, id: string): Promise<void> {
  const path = pathOf(name.replace(/^[^.]+/, id));
  const bytes = await readFile(fixturePath(name));
  const isBlocks = !name.endsWith('.cram');
  const data = isBlocks ? Buffer.from(bgunzip(bytes)) : bytes;
  const header = data.subarray(0, HEADER_BYTES).toString('latin1').replaceAll('chr2', 'chr1');
  data.write(header, 'latin1');
  await writeFile(path, isBlocks ? deflateBlocks(data) : data);
  if (isBlocks) await run('index', '-q', path);
  else await copyFile(fixturePath(`${name}.crai`), `${path}.crai`);
}

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'htskit-repeated-'));
  await writeRepeated('reads.bam', 'bam');
  await writeRepeated('v21.cram', 'cram');
  await writeRepeated('variants.bcf', 'bcf');
  await writeRepeated('variants.vcf.gz', 'vcf');
  server = await serve({ paths: [folder], host: '127.0.0.1', port: 0, authority: 'ga4gh', log: () => undefined });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const MESSAGE = 'reference "chr1" is declared twice, so that no region can name it';

describe.each([
  ['reads', 'bam.bam', 'reads.bam', 'BAM'],
  ['reads', 'cram.cram', 'v21.cram', 'CRAM'],
  ['variants', 'bcf.bcf', 'variants.bcf', 'BCF'],
] as const)('%s: %s, whose header declares chr1 twice', (datatype, name, original, format) => {
  test('has all records, each with the name of its reference', async () => {
    const lines = (await run('view', '--quiet', pathOf(name))).split('\n');
    const expected = (await run('view', '--quiet', fixturePath(original))).replaceAll('chr2', 'chr1').split('\n');
    const isRecord = (line: string): boolean => !line.startsWith('#');
    expect(lines.filter(isRecord)).toEqual(expected.filter(isRecord));
  });

  test('has no region of this name, but those of others', async () => {
    const file = await openRecords(pathOf(name));
    const error = { name: 'RecordsError', code: 'AMBIGUOUS_REFERENCE', message: MESSAGE };
    await expect(file.count({ referenceName: 'chr1' })).rejects.toMatchObject(error);
    await expect(file.count({ referenceName: 'chr1' }, { skipUnknown: true })).rejects.toMatchObject(error);
    expect(await file.count({ referenceName: 'chrM' })).toBeGreaterThan(0);
    await file.close();
    expect((await runCommand(['get', '-q', pathOf(name), 'chr1', '-o', pathOf('part')])).stderr).toContain(MESSAGE);
  });

  test('is served, but not by this name', async () => {
    const url = `${server.url}/${datatype}/${format.toLowerCase()}?format=${format}`;
    const answer = await fetch(`${url}&referenceName=chr1&start=0&end=10`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ htsget: { error: 'InvalidInput', message: MESSAGE } });
    expect((await fetch(`${url}&referenceName=chrM`)).status).toBe(200);
    expect((await fetch(url)).status).toBe(200);
  });
});

test('a contig that VCF declares twice is one: records name it', async () => {
  const records = await run('view', '--quiet', '-c', pathOf('vcf.vcf.gz'), 'chr1');
  expect(records).toBe(await run('view', '--quiet', '-c', fixturePath('variants.vcf.gz'), 'chr1'));
});

test('a read group that is declared twice is kept', async () => {
  const text = '@HD\tVN:1.6\n@RG\tID:x\tSM:s\n@RG\tID:x\tSM:t\n';
  const header = Buffer.from([...Buffer.from('BAM\x01'), text.length, 0, 0, 0, ...Buffer.from(text), 0, 0, 0, 0]);
  await writeFile(pathOf('rg.bam'), deflateBlocks(header));
  expect(await run('view', '--quiet', '--with-header', pathOf('rg.bam'))).toBe(text);
});

test('a sample that is declared twice is an error that names it', async () => {
  const text =
    '##fileformat=VCFv4.2\n##contig=<ID=a>\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ts\ts\na\t1\t.\tA\tC\t.\t.\t.\tGT\t0/1\t1/1\n';
  await writeFile(pathOf('samples.vcf.gz'), deflateBlocks(Buffer.from(text)));
  const { code, stderr } = await runCommand(['view', '--quiet', pathOf('samples.vcf.gz')]);
  expect(stderr).toContain('sample "s" is declared twice');
  expect(code).toBe(1);
});

test('names of an index that repeat are an error that names them', async () => {
  const path = pathOf('names.vcf.gz');
  await copyFile(fixturePath('variants.vcf.gz'), path);
  const index = Buffer.from(bgunzip(await readFile(fixturePath('variants.vcf.gz.tbi'))));
  await writeFile(
    `${path}.tbi`,
    deflateBlocks(Buffer.from(index.toString('latin1').replace('chr2', 'chr1'), 'latin1')),
  );
  expect(await run('view', '--quiet', '-c', path)).toBe(
    await run('view', '--quiet', '-c', fixturePath('variants.vcf.gz')),
  );
  const { code, stderr } = await runCommand(['view', '--quiet', path, 'chr1']);
  expect(stderr).toContain('duplicate name "chr1"');
  expect(code).toBe(1);
});

test('a sequence that FASTA has twice is read, but not by its name', async () => {
  const path = pathOf('twice.fa');
  await writeFile(path, '>a\nACGT\n>b\nGG\n>a\nTTTT\n');
  expect((await run('digest', path)).split('\n').map((line) => line.split('\t')[0])).toEqual(['a', 'b', 'a', '']);
  const { code, stderr } = await runCommand(['index', path]);
  expect(stderr).toContain('duplicate sequence name "a"');
  expect(code).toBe(1);
});
