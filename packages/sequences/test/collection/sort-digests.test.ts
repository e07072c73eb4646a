import { sha512t24u } from '@htskit/digest';
import { TimeSlice } from '@htskit/io/internal';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortDigests } from '../../src/collection/sort-digests.js';

async function sorted(texts: readonly string[], prefixLength: number): Promise<(string | undefined)[]> {
  const order = await sortDigests(texts, { prefixLength, slice: new TimeSlice(undefined) });
  return Array.from(order, (index) => texts[index]);
}

test('sorts digests by their characters, whose order is not that of their bytes', async () => {
  const digests = Array.from({ length: 3000 }, (_, index) => `SQ.${sha512t24u(Uint8Array.of(index, index >> 8))}`);
  expect(await sorted(digests, 3)).toEqual([...digests].sort());
});

test('sorts any texts like the sort of the language', async () => {
  const text = fc.oneof(fc.string({ maxLength: 9 }), fc.constantFrom('same', 'samesame', 'samesames', 'é', 'ÿ', '😀'));
  await fc.assert(
    fc.asyncProperty(fc.array(text), async (texts) => {
      expect(await sorted(texts, 0)).toEqual([...texts].sort());
    }),
    { numRuns: 300 },
  );
});
