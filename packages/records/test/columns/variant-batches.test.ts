import assert from 'node:assert/strict';
import { memorySource } from '@htskit/storage/memory';
import { fixturePath, readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { type GenotypeBatch, openVariants, type VariantFile } from '../../src/index.js';

const REGIONS = ['chr1:1-5000', { referenceName: 'chr2', start: 100, end: 9000 }];

/** The genotypes of records, by samples. */
async function genotypesOf(file: VariantFile, regions?: typeof REGIONS): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const { start, end, referenceName, genotypes } of file.records(regions)) {
    const referenceId = file.header.contigs.byName.get(referenceName)?.index;
    const calls = genotypes.map((genotype) => genotype && { alleles: genotype.alleles, isPhased: genotype.isPhased });
    all.push({ referenceId, start, end, calls });
  }
  return all;
}

/** The same from batches. */
async function callsOf(batches: AsyncIterable<GenotypeBatch>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const { length, referenceId, start, end, sampleCount, ploidy, alleles, phased } of batches) {
    for (let record = 0; record < length; record++) {
      const calls = Array.from({ length: sampleCount }, (_, sample) => {
        const call = record * sampleCount + sample;
        const numbers = Array.from(alleles.subarray(call * ploidy, (call + 1) * ploidy)).filter(
          (allele) => allele > -2,
        );
        if (numbers.length === 0) return undefined;
        const isPhased = (((phased[call >> 3] ?? 0) >> (call & 7)) & 1) === 1;
        return { alleles: numbers.map((allele) => (allele === -1 ? null : allele)), isPhased };
      });
      all.push({ referenceId: referenceId[record], start: start[record], end: end[record], calls });
    }
  }
  return all;
}

describe.each(['variants.vcf.gz', 'variants-csi.vcf.gz', 'variants.bcf'])('genotypes of %s', (name) => {
  test('are those of its records, of all and of regions', async () => {
    const file = await openVariants(fixturePath(name));
    const expected = await genotypesOf(file);
    expect(await callsOf(file.genotypes())).toEqual(expected);
    expect(await callsOf(file.genotypes(undefined, { maxRecords: 100 }))).toEqual(expected);
    const ofRegions = await genotypesOf(file, REGIONS);
    expect(await callsOf(file.genotypes(REGIONS))).toEqual(ofRegions);
    expect(ofRegions.length).toBeGreaterThan(10);
    expect(ofRegions.length).toBeLessThan(expected.length);
    await file.close();
  });

  test('are those of the requested samples, in their order', async () => {
    const file = await openVariants(memorySource(readFixture(name)));
    const samples = file.header.samples.slice(-2).toReversed();
    const columns = samples.map((sample) => file.header.samples.indexOf(sample));
    const records = (await genotypesOf(file)) as { readonly calls: readonly unknown[] }[];
    const expected = records.map(({ calls, ...record }) => ({
      ...record,
      calls: columns.map((column) => calls[column]),
    }));
    expect(await callsOf(file.genotypes(undefined, { samples }))).toEqual(expected);
  });
});

test('batches have at most maxRecords records, and dosages if they are requested', async () => {
  const file = await openVariants(fixturePath('variants.bcf'));
  const count = await file.count();
  const lengths: number[] = [];
  for await (const { length, dosage, sampleCount } of file.genotypes(undefined, { maxRecords: 1000, dosage: true })) {
    lengths.push(length);
    expect(dosage.length).toBe(length * sampleCount);
    expect(Math.max(...dosage)).toBe(2);
  }
  expect(lengths.slice(0, -1)).toEqual(Array.from({ length: Math.floor(count / 1000) }, () => 1000));
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(count);
  for await (const batch of file.genotypes('chr1:1-10')) expect(batch).not.toHaveProperty('dosage');
  await file.close();
});

test('a batch can be transferred to another thread', async () => {
  const file = await openVariants(fixturePath('variants.vcf.gz'));
  const { value } = await file.genotypes(undefined, { maxRecords: 50 }).next();
  assert(value !== undefined);
  const { alleles, phased, start, end, referenceId } = value;
  const transfer = [alleles, phased, start, end, referenceId].map(({ buffer }) => buffer);
  const copy = [...alleles];
  const received = structuredClone(value, { transfer });
  expect([...received.alleles]).toEqual(copy);
  expect([alleles.length, phased.length, start.length, end.length, referenceId.length]).toEqual([0, 0, 0, 0, 0]);
  await file.close();
});

test('unknown samples, samples that are listed twice and invalid sizes of batches are refused', async () => {
  const file = await openVariants(fixturePath('variants.vcf.gz'));
  const [sample = ''] = file.header.samples;
  await expect(file.genotypes(undefined, { samples: ['nobody'] }).next()).rejects.toThrow(
    expect.objectContaining({ name: 'RecordsError', code: 'UNKNOWN_SAMPLE' }),
  );
  await expect(file.genotypes(undefined, { samples: [sample, sample] }).next()).rejects.toThrow(RangeError);
  for (const maxRecords of [0, -1, 1.5]) {
    await expect(file.genotypes(undefined, { maxRecords }).next()).rejects.toThrow(RangeError);
  }
  await file.close();
});
