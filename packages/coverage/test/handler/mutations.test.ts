import { memorySource } from '@htskit/storage/memory';
import { mutations, readFixture, volume } from '@htskit/testing';
import { expect, test } from 'vitest';
import { ask, coverageHandler } from './coverage-service.js';

test.each([
  ['a corrupt BAI', 'BAM', 'straddle.bam', 'straddle.bam.bai', 1],
  ['a corrupt BAM file', 'BAM', 'reads.bam', 'reads.bam.bai', 0],
  ['a corrupt CRAI', 'CRAM', 'multiref.cram', 'multiref.cram.crai', 1],
  ['a corrupt CRAM file', 'CRAM', 'multiref.cram', 'multiref.cram.crai', 0],
] as const)('%s causes an error or bounded bins, exact or estimated', async (_, format, name, indexName, mutated) => {
  const originals = [readFixture(name), readFixture(indexName)] as const;
  const outcomes = { answers: 0, errors: 0 };
  for (const { bytes } of mutations(originals[mutated], { seed: 4, count: volume(200) })) {
    const [data, index] = mutated === 0 ? [bytes, originals[1]] : [originals[0], bytes];
    const files = [{ format, data: memorySource(data), index: memorySource(index) }];
    for (const scanBytes of [2 ** 20, 20_000]) {
      const handler = coverageHandler({ limits: { scanBytes } }, { mutated: files });
      const response = await ask(handler, '/coverage/mutated?referenceName=chr1&start=100&bins=11');
      const body = (await response.json()) as { mean?: number[]; htsget?: { error: string; message: string } };
      if (response.status === 200) {
        outcomes.answers++;
        expect(body.mean).toHaveLength(11);
        expect(body.mean?.every((mean) => Number.isFinite(mean) && mean >= 0)).toBe(true);
      } else {
        outcomes.errors++;
        expect(typeof body.htsget?.error).toBe('string');
      }
    }
  }
  expect(outcomes.answers + outcomes.errors).toBeGreaterThanOrEqual(volume(300));
  expect(outcomes.errors).toBeGreaterThan(0);
});
