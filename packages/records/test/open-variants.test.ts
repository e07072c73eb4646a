import { memorySource } from '@htskit/storage/memory';
import { expectations, fixtureNames, fixturePath, readFixture, sample, toOrdinals } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { openVariants } from '../src/index.js';
import { sha256OfLines, vcfLines } from './expected-records.js';

const NAMES = [...fixtureNames('.vcf.gz'), ...fixtureNames('.bcf')];

describe.each(NAMES)('%s', (name) => {
  const { recordCount, textSha256, regions, references } = expectations(name);

  test('has the records that bcftools prints', async () => {
    const file = await openVariants(fixturePath(name));
    expect(sha256OfLines(await vcfLines(file.records()))).toBe(textSha256);
    expect(await file.count()).toBe(recordCount);
    expect(file.references.map(({ name: reference }) => reference)).toEqual(references.map((each) => each.name));
    await file.close();
  });

  test('has the records of regions that bcftools finds', async () => {
    const file = await openVariants(fixturePath(name));
    const all = await vcfLines(file.records());
    for (const { referenceName, start, end, records } of sample(regions)) {
      const found = await vcfLines(file.records({ referenceName, start, end }));
      expect(found).toEqual(toOrdinals(records).map((ordinal) => all[ordinal]));
      expect(await file.count({ referenceName, start, end })).toBe(found.length);
    }
    await file.close();
  });

  test('has the same records of regions without its index, if the whole file may be read', async () => {
    const indexed = await openVariants(fixturePath(name));
    const alone = await openVariants(memorySource(readFixture(name)));
    const wanted = regions.slice(0, 5);
    const lines = await vcfLines(indexed.records(wanted));
    expect(await vcfLines(alone.records(wanted, { scan: true }))).toEqual(lines);
    await indexed.close();
  });
});

test('has the same values in VCF and BCF', async () => {
  const values = async (name: string): Promise<unknown[]> => {
    const file = await openVariants(fixturePath(name));
    const all: unknown[] = [];
    for await (const { start, end, ref, alt, filters, infoKeys, genotypes } of file.records()) {
      all.push({ start, end, ref, alt, filters, infoKeys, genotypes });
    }
    await file.close();
    return all;
  };
  const vcf = await values('variants.vcf.gz');
  expect(await values('variants.bcf')).toEqual(vcf);
  expect(vcf.length).toBeGreaterThan(4000);
});
