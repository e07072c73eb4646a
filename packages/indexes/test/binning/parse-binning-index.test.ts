import { deflateBlocks } from '@htskit/bgzf';
import { loopTurns } from '@htskit/io/internal';
import { fixtureNames, readFixture } from '@htskit/testing';
import { describe, expect, test, vi } from 'vitest';
import { IndexError, parseBai, parseBinningIndex, parseCsi, parseTbi } from '../../src/index.js';
import { parseBinningIndexInSteps } from '../../src/internal.js';
import { buildBai, chunkOf, type ReferenceParts } from '../support/build-bai.js';
import { buildTbi, tabixHeader } from '../support/build-tabix.js';

const PARSERS = { BAI: parseBai, CSI: parseCsi, TBI: parseTbi };

describe('parseBinningIndex', () => {
  test.each([...fixtureNames('.bai'), ...fixtureNames('.csi'), ...fixtureNames('.tbi')])(
    'recognises the format of %s',
    (name) => {
      const bytes = readFixture(name);
      const index = parseBinningIndex(bytes);
      expect(name.endsWith(`.${index.format.toLowerCase()}`)).toBe(true);
      const expected = PARSERS[index.format](bytes);
      const region = { referenceId: 0, start: 0, end: 1e6 };
      expect(index.chunks(region)).toEqual(expected.chunks(region));
      expect(index.unplacedCount).toBe(expected.unplacedCount);
    },
  );

  test('parses a compressed BAI', () => {
    expect(parseBinningIndex(deflateBlocks(readFixture('reads.bam.bai'))).format).toBe('BAI');
  });

  test('rejects any other format', () => {
    for (const bytes of [new Uint8Array(0), new Uint8Array(100), deflateBlocks(new Uint8Array(9))]) {
      const message = 'not a BAI, CSI or TBI index';
      expect(() => parseBinningIndex(bytes)).toThrow(new IndexError('INVALID_MAGIC', message, { offset: 0 }));
    }
  });

  test('rejects more bytes than maxBytes', () => {
    const error = expect.objectContaining({ name: 'IndexError', code: 'LIMIT_EXCEEDED' }) as Error;
    expect(() => parseBinningIndex(readFixture('variants.vcf.gz.tbi'), { maxBytes: 100 })).toThrow(error);
  });
});

describe('parseBinningIndexInSteps', () => {
  test.each([...fixtureNames('.bai'), ...fixtureNames('.csi'), ...fixtureNames('.tbi')])(
    'reads %s as parseBinningIndex does',
    async (name) => {
      const bytes = readFixture(name);
      const index = await parseBinningIndexInSteps(bytes);
      const expected = parseBinningIndex(bytes);
      expect(index.tabix).toEqual(expected.tabix);
      expect(index.lastPlacedEnd()).toEqual(expected.lastPlacedEnd());
      const start = { coffset: 0, uoffset: 0 };
      expect(index.splitAt(start, 50_000)).toEqual(expected.splitAt(start, 50_000));
      for (let referenceId = 0; referenceId < expected.referenceCount; referenceId++) {
        const region = { referenceId, start: 0, end: 1e9 };
        expect(index.chunks(region)).toEqual(expected.chunks(region));
      }
    },
  );

  /** Chunks of one bin, in order. */
  function manyChunks(count: number): ReferenceParts {
    const chunks = Array.from({ length: count }, (_, id) => chunkOf([100 * id, 0], [100 * id + 100, 0]));
    return { bins: [[4681, chunks]] };
  }

  /** Bins of one chunk each. */
  function manyBins(count: number): ReferenceParts {
    const chunk = (id: number) => chunkOf([100 * id, 0], [100 * id + 100, 0]);
    return { bins: Array.from({ length: count }, (_, id) => [4681 + id, [chunk(id)]] as const) };
  }

  test.each<[string, number, () => Uint8Array]>([
    ['300,000 empty references', 4, () => buildBai(Array<ReferenceParts>(300_000).fill({}))],
    ['one bin of 100,000 chunks', 3, () => buildBai([manyChunks(100_000)])],
    ['30,000 bins', 2, () => buildBai([manyBins(30_000)])],
    [
      '50,000 names',
      3,
      () => buildTbi(tabixHeader(Array.from({ length: 50_000 }, (_, id) => `${id}\0`).join('')), buildBai([])),
    ],
  ])('other events are handled while it reads %s', async (_, least, build) => {
    const bytes = build();
    const next = vi.spyOn(loopTurns, 'next').mockClear();
    const index = await parseBinningIndexInSteps(bytes);
    const turns = next.mock.calls.length;
    expect(turns).toBeGreaterThanOrEqual(least);
    // All is known by now, without another pass.
    expect(index.lastPlacedEnd()).toEqual(parseBinningIndex(bytes).lastPlacedEnd());
    expect(next.mock.calls.length).toBe(turns);
  });

  test('rejects what parseBinningIndex rejects', async () => {
    await expect(parseBinningIndexInSteps(new Uint8Array(9))).rejects.toMatchObject({ code: 'INVALID_MAGIC' });
    const cut = readFixture('reads.bam.bai').subarray(0, 100);
    await expect(parseBinningIndexInSteps(cut)).rejects.toMatchObject({ code: 'TRUNCATED' });
    await expect(parseBinningIndexInSteps(cut, { maxBytes: 9 })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });
});
