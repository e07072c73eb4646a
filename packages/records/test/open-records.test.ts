import { fixturePath } from '@htskit/testing';
import { expect, test } from 'vitest';
import { openAlignments, openRecords, openTabix, openVariants, type RecordSource } from '../src/index.js';
import { serveFixtures, serveHtsget } from './file-server.js';

test.each([
  ['reads.bam', 'BAM'],
  ['v31.cram', 'CRAM'],
  ['variants.vcf.gz', 'VCF'],
  ['variants.bcf', 'BCF'],
])('opens %s as %s', async (name, format) => {
  const file = await openRecords(fixturePath(name));
  const open = format === 'BAM' || format === 'CRAM' ? openAlignments : openVariants;
  const expected = await open(fixturePath(name));
  expect(file.format).toBe(format);
  expect(file.headerText).toBe(expected.headerText);
  expect(await file.count({ referenceName: 'chr1' })).toBe(await expected.count({ referenceName: 'chr1' }));
  await Promise.all([file.close(), expected.close()]);
});

test.each([
  ['reads.bam', openAlignments],
  ['v31.cram', openAlignments],
  ['variants.vcf.gz', openVariants],
  ['variants.bcf', openVariants],
  ['variants.vcf.gz', openTabix],
])('of %s, a text selects what the region that samtools means by it does', async (name, open) => {
  const file = await open(fixturePath(name));
  const texts = ['chr1:1,001-20k', 'chr2'];
  const regions = [{ referenceName: 'chr1', start: 1000, end: 20_000 }, { referenceName: 'chr2' }];
  const counts = await Promise.all(regions.map((region) => file.count(region)));
  expect(counts[0]).toBeGreaterThan(0);
  expect(await Promise.all(texts.map((text) => file.count(text)))).toEqual(counts);
  expect(await file.count(texts)).toBe(await file.count(regions));
  await file.close();
});

test('of a service, whose references are unknown, a text selects what the region does', async () => {
  const origin = await serveHtsget({ b: ['variants.vcf.gz'] });
  const file = await openVariants({ htsget: `${origin}/variants/b` });
  const region = { referenceName: 'chr1', start: 1000, end: 20_000 };
  expect(await file.count('chr1:1001-20000')).toBe(await file.count(region));
});

test('rejects files of other formats', async () => {
  await expect(openRecords(fixturePath('genome.fa'))).rejects.toMatchObject({
    code: 'UNKNOWN_FORMAT',
    message: 'expected BAM, CRAM, bgzipped VCF or BCF, found something else',
  });
});

test('reads the header of variants no more often than a function for variants does', async () => {
  const origin = await serveHtsget({ b: ['variants.vcf.gz'] });
  const countRequests = async (open: typeof openRecords): Promise<number> => {
    let requests = 0;
    const counted: typeof fetch = (...given) => {
      requests++;
      return fetch(...given);
    };
    await open({ htsget: `${origin}/variants/b`, fetch: counted });
    return requests;
  };
  const expected = await countRequests(openVariants);
  expect(expected).toBeGreaterThan(0);
  expect(await countRequests(openRecords)).toBe(expected);

  const server = await serveFixtures();
  await openVariants(`${server.origin}/variants.bcf`);
  const { length } = server.requests;
  await openRecords(`${server.origin}/variants.bcf`);
  expect(server.requests.length).toBe(2 * length);
});

test('openTabix rejects a service, which delivers no such files', async () => {
  const source = { htsget: 'http://127.0.0.1:1/variants/b' };
  await expect(openTabix(source as unknown as RecordSource)).rejects.toMatchObject({
    code: 'UNSUPPORTED_SOURCE',
    message: 'htsget delivers BAM, CRAM, VCF and BCF only: open a tabix file by its URL, variants by openVariants',
  });
});
