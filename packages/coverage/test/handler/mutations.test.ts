import { memorySource } from '@htskit/storage/memory';
import { mutations, readFixture, volume } from '@htskit/testing';
import { expect, test } from 'vitest';
import type { CoverageDocument } from '../../src/handler/index.js';
import { BASE, createHandler } from './coverage-service.js';

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
    const file = { format, data: memorySource(data), index: memorySource(index) };
    for (const exactBytes of [2 ** 20, 20_000]) {
      const handler = createHandler({ resolve: async () => [file], limits: { exactBytes }, onError: () => undefined });
      const response = await handler(new Request(`${BASE}/a?referenceName=chr1&start=100&bins=11`));
      const body = (await response.json()) as CoverageDocument & { readonly htsget?: { readonly error: string } };
      outcomes[response.status === 200 ? 'answers' : 'errors']++;
      if (response.status !== 200) expect(typeof body.htsget?.error).toBe('string');
      else expect(Array.from(body.mean ?? []).filter((mean) => Number.isFinite(mean) && mean >= 0)).toHaveLength(11);
    }
  }
  expect(outcomes.answers + outcomes.errors).toBe(2 * volume(200));
  expect(outcomes.errors).toBeGreaterThan(0);
});
