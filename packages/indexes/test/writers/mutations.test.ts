import { BgzfError, deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { FormatError } from '@htskit/formats';
import { bgunzip, mutations, readFixture, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { IndexError, indexBam, indexBcf, indexTabix, indexVcf, parseBinningIndex } from '../../src/index.js';
import { chunked } from '../support/index-bytes.js';

type Build = (chunks: AsyncIterable<Uint8Array>) => Promise<Uint8Array>;

const MAX_INDEX_BYTES = 2 ** 22;
const limits = { maxIndexBytes: MAX_INDEX_BYTES };

const CASES: readonly (readonly [file: string, format: string, build: Build])[] = [
  ['no-eof.bam', 'BAI', (chunks) => indexBam(chunks, { ...limits, format: 'BAI' })],
  ['no-eof.bam', 'CSI', (chunks) => indexBam(chunks, { ...limits, minShift: 9 })],
  ['longref.bam', 'CSI', (chunks) => indexBam(chunks, limits)],
  ['variants.bcf', 'CSI', (chunks) => indexBcf(chunks, limits)],
  ['variants.vcf.gz', 'TBI', (chunks) => indexVcf(chunks, limits)],
  ['variants.vcf.gz', 'CSI', (chunks) => indexVcf(chunks, { ...limits, minShift: 12 })],
  ['variants.vcf.gz', 'GFF', (chunks) => indexTabix(chunks, { ...limits, settings: { ...gff, endColumn: 2 } })],
];

const gff = {
  preset: 'generic',
  isZeroBased: false,
  sequenceColumn: 1,
  startColumn: 2,
  endColumn: 2,
  metaCharacter: 0x23,
  skippedLines: 0,
} as const;

/** Returns a typed error of one of the packages. Any other error fails the test. */
async function outcome(build: Build, bytes: Uint8Array): Promise<'index' | 'error'> {
  try {
    const index = await build(chunked(bytes, 5000));
    parseBinningIndex(index).lastPlacedEnd();
    return 'index';
  } catch (error) {
    if (error instanceof IndexError || error instanceof FormatError || error instanceof BgzfError) return 'error';
    throw error;
  }
}

describe.each(CASES)('%s, as %s', (name, _, build) => {
  // Enough for a header and a few hundred records.
  const data = bgunzip(readFixture(name)).subarray(0, 40_000);

  test('damaged records result in a readable index or a typed error', async () => {
    const outcomes = { index: 0, error: 0 };
    for (const { bytes } of mutations(data, { seed: 12, count: volume(400) })) {
      const file = Buffer.concat([deflateBlocks(bytes), EOF_MARKER]);
      outcomes[await outcome(build, new Uint8Array(file))]++;
    }
    expect(outcomes.error).toBeGreaterThan(volume(20));
  });

  test('damaged files result in a typed error', async () => {
    const file = new Uint8Array(Buffer.concat([deflateBlocks(data), EOF_MARKER]));
    const outcomes = { index: 0, error: 0 };
    for (const { bytes } of mutations(file, { seed: 13, count: volume(300) })) outcomes[await outcome(build, bytes)]++;
    expect(outcomes.error).toBeGreaterThan(volume(200));
  });
});
