import { BgzfPool } from '@htskit/bgzf';
import { fixtureNames, readFixture } from '@htskit/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { type BinningIndex, indexBam, indexBcf, indexVcf, parseBinningIndex } from '../../src/index.js';
import { chunked, uncompressed } from '../support/index-bytes.js';

/** The index of this file, written for tests of readers, keeps every small bin, which HTSlib would merge. */
const KEEPS_SMALL_BINS = 'extra-subfield.bam.bai';

const indexes = [...fixtureNames('.bai'), ...fixtureNames('.csi'), ...fixtureNames('.tbi')];

interface RebuildOptions {
  readonly chunkBytes?: number;
  readonly pool?: BgzfPool;
}

const pool = new BgzfPool({ threads: 2 });
afterAll(() => pool.close());

/** Builds the index with the file name `name`, in its format. */
async function rebuild(name: string, { chunkBytes, ...options }: RebuildOptions = {}): Promise<Uint8Array> {
  const file = name.slice(0, name.lastIndexOf('.'));
  const chunks = chunked(readFixture(file), chunkBytes);
  const { format, minShift } = parseBinningIndex(readFixture(name));
  if (file.endsWith('.bcf')) return indexBcf(chunks, { ...options, minShift });
  if (format === 'CSI')
    return file.endsWith('.bam')
      ? indexBam(chunks, { ...options, minShift })
      : indexVcf(chunks, { ...options, minShift });
  return format === 'BAI' ? indexBam(chunks, { ...options, format }) : indexVcf(chunks, { ...options, format });
}

describe.each(indexes.filter((name) => name !== KEEPS_SMALL_BINS))('%s', (name) => {
  const expected = Buffer.from(uncompressed(readFixture(name)));

  test('is built byte-identical to that of HTSlib', async () => {
    expect(expected.compare(uncompressed(await rebuild(name)))).toBe(0);
  });

  test('any chunking of the file results in the same index', async () => {
    expect(expected.compare(uncompressed(await rebuild(name, { chunkBytes: 997 })))).toBe(0);
  });

  test('a pool results in the same index', async () => {
    expect(expected.compare(uncompressed(await rebuild(name, { pool })))).toBe(0);
  });
});

test('a BAI that was not written by a tool counts the same records', async () => {
  const theirs = parseBinningIndex(readFixture(KEEPS_SMALL_BINS));
  const ours = parseBinningIndex(await rebuild(KEEPS_SMALL_BINS));
  const counts = (index: BinningIndex) =>
    Array.from({ length: index.referenceCount }, (_, referenceId) => index.referenceStatistics(referenceId));
  expect(counts(ours)).toEqual(counts(theirs));
  expect(ours.unplacedCount).toBe(theirs.unplacedCount);
  expect(ours.lastPlacedEnd()).toEqual(theirs.lastPlacedEnd());
});

test('indexBam writes a BAI if it covers every reference, otherwise a CSI', async () => {
  expect(parseBinningIndex(await indexBam(chunked(readFixture('reads.bam')))).format).toBe('BAI');
  expect(parseBinningIndex(await indexBam(chunked(readFixture('reads.bam')), { minShift: 14 })).format).toBe('CSI');
  expect(parseBinningIndex(await indexBam(chunked(readFixture('longref.bam')))).format).toBe('CSI');
});
