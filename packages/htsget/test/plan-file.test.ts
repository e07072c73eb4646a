import { memorySource } from '@htskit/storage/memory';
import { collectSlowly, readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { FileLoader, planFile, streamPlan } from '../src/index.js';
import { fixtureFile, fixtureHandler } from './fixture-files.js';
import { fetchFile } from './read-ticket.js';

const regions = [{ referenceName: 'chr1', start: 1000, end: 20_000 }];

describe('planFile', () => {
  test.each([
    ['reads.bam', '/reads/reads.bam?'],
    ['reads.cram', '/reads/reads.cram?format=CRAM&'],
    ['variants.vcf.gz', '/variants/variants.vcf.gz?'],
    ['variants.bcf', '/variants/variants.bcf?format=BCF&'],
  ])('plans %s as the service does', async (name, path) => {
    const file = fixtureFile(name);
    const plan = await planFile(file, { regions });
    const answer = await fetchFile(fixtureHandler(), `${path}referenceName=chr1&start=1000&end=20000`);
    expect(Buffer.compare(await collectSlowly(streamPlan(plan, file.data)), answer)).toBe(0);
    expect(plan.stat).toEqual(await file.data.stat());
    expect(plan.index).toBeDefined();
  });

  test('loads a header and an index once per loader', async () => {
    const file = fixtureFile('reads.bam');
    const lookups: string[] = [];
    const loader = new FileLoader({
      onLookup: ({ cache, isHit }) => lookups.push(`${cache} ${isHit ? 'hit' : 'miss'}`),
    });
    await planFile(file, { regions }, { loader });
    await planFile(file, { regions }, { loader });
    expect(lookups).toEqual(['header miss', 'index miss', 'header hit', 'index hit']);
  });

  test('reads a source without a version each time', async () => {
    const lookups: boolean[] = [];
    const loader = new FileLoader({ onLookup: ({ isHit }) => lookups.push(isHit) });
    const file = { format: 'BAM', data: memorySource(readFixture('reads.bam')) } as const;
    const plans = [await planFile(file, { regions }, { loader }), await planFile(file, { regions }, { loader })];
    expect(plans[1]).toEqual(plans[0]);
    expect(lookups).toEqual([]);
  });

  test('needs no index for the header and for a whole file', async () => {
    const { format, data } = fixtureFile('reads.bam');
    const file = { format, data, index: memorySource(new TextEncoder().encode('garbage')) };
    expect((await planFile(file, { class: 'header', regions })).index).toBeUndefined();
    expect((await planFile(file, {})).index).toBeUndefined();
    await expect(planFile(file, { regions })).rejects.toMatchObject({ code: 'INVALID_MAGIC' });
  });

  test.each([
    ['reads.bam', 'CRAM'],
    ['reads.cram', 'VCF'],
    ['variants.bcf', 'BAM'],
  ] as const)('refuses to answer %s as %s', async (name, format) => {
    const { format: stored } = fixtureFile(name);
    await expect(planFile(fixtureFile(name), { format })).rejects.toMatchObject({
      code: 'UnsupportedFormat',
      message: `a ${stored} file cannot be answered as ${format}`,
    });
  });

  test('ends its loads with the signal of the loader', async () => {
    const loader = new FileLoader({ signal: AbortSignal.abort() });
    await expect(planFile(fixtureFile('reads.bam'), { regions }, { loader })).rejects.toMatchObject({
      name: 'StorageError',
      code: 'ABORTED',
    });
  });
});
