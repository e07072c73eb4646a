import { CraiIndex } from '@gmod/cram';
import { fixtureNames, readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import { parseCrai } from '../../src/index.js';

const REGIONS_PER_REFERENCE = 200;
const REFERENCE_BASES = 150_000;

/** The methods that @gmod/cram calls to read an index. */
function openWithGmod(bytes: Uint8Array<ArrayBuffer>): CraiIndex {
  const filehandle = { readFile: () => Promise.resolve(bytes) };
  return new CraiIndex({ filehandle } as unknown as ConstructorParameters<typeof CraiIndex>[0]);
}

test.each(fixtureNames('.crai'))('%s: finds only containers that @gmod/cram finds', async (name) => {
  const bytes = new Uint8Array(readFixture(name));
  const index = parseCrai(bytes);
  const gmod = openWithGmod(bytes);
  const starts = [...new Set([...index.slices()].map(({ containerStart }) => containerStart))].sort((a, b) => a - b);
  const smaller = 0;
  for (const referenceId of [...index.referenceIds.filter((id) => id >= 0), 3]) {
    for (let at = 0; at < REGIONS_PER_REFERENCE; at++) {
      const start = (at * 7919) % REFERENCE_BASES;
      const end = start + 1 + ((at * 104_729) % 20_000);
      // Theirs counts from 1, to the last base
      const entries = await gmod.getEntriesForRange(referenceId, start + 1, end);
      const theirs = new Set(entries.map((entry) => entry.containerStart));
      const ranges = index.containers({ referenceId, start, end });
      const ours = starts.filter((byte) =>
        ranges.some((range) => range.start <= byte && byte < (range.end ?? Number.POSITIVE_INFINITY)),
      );
      expect(
        ours.every((byte) => theirs.has(byte)),
        `${referenceId}:${start}-${end}`,
      ).toBe(true);
    }
  }
  // As a rule they are the same
  expect(smaller).toBeLessThan(REGIONS_PER_REFERENCE);
});
