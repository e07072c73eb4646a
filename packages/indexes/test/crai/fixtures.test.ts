import { parseCramHeader } from '@htskit/formats';
import { expectations, fixtureNames, readFixture, toOrdinals } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { parseCrai } from '../../src/index.js';
import type { CramContainerRange } from '../../src/internal.js';
import { type CramContainer, readContainers } from '../support/cram-containers.js';

const names = fixtureNames('.cram');

function isWithin({ start, end }: CramContainer, ranges: readonly CramContainerRange[]): boolean {
  return ranges.some((range) => range.start <= start && end <= (range.end ?? Number.POSITIVE_INFINITY));
}

describe.each(names)('%s', (name) => {
  const bytes = readFixture(name);
  const containers = readContainers(bytes);
  const index = parseCrai(readFixture(`${name}.crai`));
  const expected = expectations(name);

  /** Returns the ordinals of the records that no container of the ranges contains. */
  function missed(ordinals: readonly number[], ranges: readonly CramContainerRange[]): number[] {
    const holding = containers.filter((container) => isWithin(container, ranges));
    return ordinals.filter(
      (ordinal) => !holding.some(({ firstRecord, endRecord }) => firstRecord <= ordinal && ordinal < endRecord),
    );
  }

  test('the index contains every container that has slices', () => {
    const starts = containers.filter(({ header }) => header.landmarks.length > 0).map(({ start }) => start);
    expect([...new Set([...index.slices()].map(({ containerStart }) => containerStart))]).toEqual(starts);
    expect(index.containerCount).toBe(starts.length);
    expect(containers.at(-1)?.endRecord).toBe(expected.recordCount);
  });

  test('containers contain the records that samtools finds in each region', () => {
    const ids = new Map(parseCramHeader(bytes).references.map((reference, id) => [reference.name, id]));
    for (const { referenceName, start, end, records } of expected.regions) {
      const query = { referenceId: ids.get(referenceName) ?? Number.NaN, start, end };
      expect(missed(toOrdinals(records), index.containers(query))).toEqual([]);
    }
  });

  test('containers of all regions at once equal those of each region combined', () => {
    const ids = new Map(parseCramHeader(bytes).references.map((reference, id) => [reference.name, id]));
    const queries = expected.regions.map(({ referenceName, start, end }) => {
      return { referenceId: ids.get(referenceName) ?? Number.NaN, start, end };
    });
    const single = queries.flatMap((query) => index.containers(query));
    const together = index.containers(queries);
    const held = (ranges: readonly CramContainerRange[]): CramContainer[] =>
      containers.filter((container) => isWithin(container, ranges));
    expect(held(together)).toEqual(held(single));
  });

  test('containers of unplaced records contain all of them', () => {
    const { recordCount, unplacedCount } = expected;
    const unplaced = Array.from({ length: unplacedCount }, (_, index) => recordCount - 1 - index);
    expect(missed(unplaced, index.containers({ referenceId: -1 }))).toEqual([]);
  });
});

test('enough files were compared', () => {
  expect(names.length).toBeGreaterThanOrEqual(5);
});
