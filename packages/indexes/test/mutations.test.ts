import { mutations, readFixture, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { FaiBuilder, IndexError, parseBai, parseFai } from '../src/index.js';

/** Returns the error that an attempt throws, or undefined. */
function failure(attempt: () => unknown): unknown {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return error;
  }
}

function isExpected(error: unknown): boolean {
  return error === undefined || (error instanceof IndexError && error.offset >= 0);
}

function queryBai(bytes: Uint8Array): void {
  const index = parseBai(bytes);
  index.lastPlacedEnd();
  for (let referenceId = 0; referenceId < Math.min(index.referenceCount, 9); referenceId++) {
    index.referenceStatistics(referenceId);
    for (const start of [0, 20_000, 70_000]) index.chunks({ referenceId, start, end: start + 50_000 });
  }
}

function buildFai(bytes: Uint8Array): void {
  const builder = new FaiBuilder();
  builder.push(bytes);
  builder.finish();
}

describe('damaged bytes return a result or throw an IndexError, never another error', () => {
  test.each(['reads.bam.bai', 'extra-subfield.bam.bai', 'straddle.bam.bai'])('%s', (name) => {
    const bytes = readFixture(name);
    const errors = [...mutations(bytes, { seed: 1, count: volume(1500) })].map(({ bytes }) =>
      failure(() => queryBai(bytes)),
    );
    expect(errors.filter((error) => !isExpected(error))).toEqual([]);
    expect(errors.filter((error) => error !== undefined).length).toBeGreaterThan(volume(300));
  });

  test('genome.fa.fai', () => {
    const bytes = readFixture('genome.fa.fai');
    const errors = [...mutations(bytes, { seed: 2, count: volume(2000) })].map(({ bytes }) =>
      failure(() => parseFai(bytes)),
    );
    expect(errors.filter((error) => !isExpected(error))).toEqual([]);
    expect(errors.filter((error) => error !== undefined).length).toBeGreaterThan(volume(300));
  });

  test('the FASTA from which a FAI is built', () => {
    const bytes = readFixture('crlf.fa').subarray(0, 400);
    const errors = [...mutations(bytes, { seed: 3, count: volume(2000) })].map(({ bytes }) =>
      failure(() => buildFai(bytes)),
    );
    expect(errors.filter((error) => !isExpected(error))).toEqual([]);
    expect(errors.filter((error) => error !== undefined).length).toBeGreaterThan(volume(300));
  });
});
