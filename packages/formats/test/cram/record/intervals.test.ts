import { peek } from '@htskit/io';
import { expectations, fixtureNames, fixturePath, readFixture, sample } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { type BamInterval, createBamFilter, parseCramHeader } from '../../../src/index.js';
import { block, constant, encoding, external, itf8, type SliceParts, simple } from '../build-cram.js';
import { decodeCram, fastaSource } from '../decode-cram.js';
import { samLinesOf, source } from './decode-slices.js';

const reference = fastaSource(fixturePath('genome.fa'));

/** Returns the whole records of a file that overlap an interval, as the filter of BAM records keeps them. */
function filtered(records: Uint8Array, intervals: readonly BamInterval[]): Buffer {
  const filter = createBamFilter(intervals);
  return Buffer.concat([...filter.push(records), ...filter.finish()].map(peek));
}

/** Returns a slice of records of ten bases at some positions of the first reference. */
function sliceAt(...starts: readonly number[]): SliceParts {
  const positions = block('external', 10, starts.flatMap(itf8));
  const span = Math.max(...starts) + 9 - (starts[0] ?? 0) + 1;
  const blocks = [block('core', 0, []), positions];
  return { referenceId: 0, start: starts[0] ?? 0, span, recordCount: starts.length, blocks };
}

const SERIES = { ...simple, AP: external(10), BA: constant(0x41) };

describe('intervals of createCramDecoder', () => {
  test.each(fixtureNames('.cram'))('keep the records of %s that a filter of BAM records keeps', async (name) => {
    const bytes = readFixture(name);
    const { references } = parseCramHeader(bytes);
    const { records } = await decodeCram(bytes, { reference });
    const regions = sample(expectations(name).regions).map(({ referenceName, start, end }) => ({
      referenceId: references.findIndex((each) => each.name === referenceName),
      start,
      end,
    }));
    const unplaced = { referenceId: -1, start: -(2 ** 31), end: 2 ** 31 };
    const bounded = regions.slice(0, 2).map((region) => ({ ...region, recordsFrom: region.start }));
    for (const intervals of [...regions.map((region) => [region]), regions, bounded, [unplaced, ...regions], []]) {
      const kept = await decodeCram(bytes, { reference, intervals });
      expect(Buffer.compare(kept.records, filtered(records, intervals))).toBe(0);
    }
  });

  test('leave mates out, whose fields and names the other records keep', async () => {
    const flags = block('external', 11, [1 + 64, 1 + 16 + 128].flatMap(itf8));
    const cramFlags = block('external', 12, [4, 2].flatMap(itf8));
    const name = block('external', 9, [...new TextEncoder().encode('pair'), 0]);
    const mate = { NF: constant(0), MF: constant(0), NS: constant(0), NP: constant(1), TS: constant(0) };
    const series = { ...SERIES, ...mate, BF: external(11), CF: external(12), RN: encoding(5, 0, 9) };
    const { blocks, ...parts } = sliceAt(3, 21);
    const slice = { ...parts, blocks: [...blocks, flags, cramFlags, name] };
    const all = await samLinesOf({ series }, [slice]);
    expect(all).toHaveLength(2);
    expect(all[0]).toMatch(/^pair\t97\tone\t3\t/);
    for (const [start, ordinal] of [0, 20].entries()) {
      const intervals = [{ referenceId: 0, start: ordinal, end: ordinal + 5 }];
      expect(await samLinesOf({ series }, [slice], { intervals })).toEqual([all[start]]);
    }
  });

  test('leave the blocks and the reference of slices outside untouched', async () => {
    const requests: number[] = [];
    const options = {
      reference: (request: Parameters<typeof source>[0]) => {
        requests.push(request.start);
        return source(request);
      },
    };
    const damaged = { ...sliceAt(25), blocks: [block('core', 0, []), block('external', 10, [])] };
    const parts = { series: SERIES, needsReference: true };
    await expect(samLinesOf(parts, [sliceAt(3, 5), damaged], options)).rejects.toThrow('unexpected end of data');
    requests.length = 0;
    const intervals = [{ referenceId: 0, start: 0, end: 4 }];
    expect(await samLinesOf(parts, [sliceAt(3, 5), damaged], { ...options, intervals })).toHaveLength(1);
    expect(requests).toEqual([2]);
  });

  test('search a slice whose header gives no positions', async () => {
    const slice = { ...sliceAt(3, 21), start: 0, span: 0 };
    const intervals = [{ referenceId: 0, start: 20, end: 21 }];
    expect(await samLinesOf({ series: SERIES }, [slice], { intervals })).toHaveLength(1);
  });
});
