import type { VirtualOffset } from '@htskit/bgzf';
import { fixtureNames, readFixture, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BinningIndex,
  BinningIndexBuilder,
  parseBinningIndex,
  type RegionQuery,
  TABIX_SETTINGS,
} from '../src/index.js';
import { REFERENCE_COUNT, regionQuery, sortedRecords, writerHabits } from './support/arbitrary-index.js';
import { buildTbi, tabixHeader } from './support/build-tabix.js';
import { holdsRange, lengthOf, type Range, toRanges } from './support/chunk-ranges.js';
import { openWithGmod } from './support/gmod-chunks.js';
import { type PlacedRecord, readPlacedFile } from './support/placed-records.js';
import { writeCsi } from './support/write-csi.js';
import { type IndexedRecord, type WriterHabits, writeBai } from './support/write-index.js';

const SEED = 20;
const REGIONS_PER_REFERENCE = volume(300);
const GENERATED_FILES = volume(400);
const LEAF_SPAN = 2 ** 14;

/** An index and the records of its file. */
interface Subject {
  readonly bytes: Uint8Array;
  readonly records: readonly PlacedRecord[];
  readonly locate: (offset: VirtualOffset) => number;
}

/** The result of comparing the regions of one or several files. */
interface Findings {
  compared: number;
  /** Regions with records, with chunks smaller than those of @gmod, and with larger chunks. */
  withRecords: number;
  smaller: number;
  readonly larger: RegionQuery[];
  /** Regions whose chunks miss a record: ours, and those of @gmod. */
  readonly missed: RegionQuery[];
  readonly missedByGmod: RegionQuery[];
}

function noFindings(): Findings {
  return { compared: 0, withRecords: 0, smaller: 0, larger: [], missed: [], missedByGmod: [] };
}

function overlaps(record: PlacedRecord, { referenceId, start, end }: RegionQuery): boolean {
  return record.referenceId === referenceId && record.baseStart < end && record.baseEnd > start;
}

async function compare({ bytes, records, locate }: Subject, regions: readonly RegionQuery[], findings: Findings) {
  const index = parseBinningIndex(bytes);
  const askGmod = openWithGmod(bytes, index);
  for (const region of regions) {
    const ours = toRanges(index.chunks(region), locate);
    const theirs = toRanges(await askGmod(region), locate);
    const wanted = records.filter((record) => overlaps(record, region));
    const lacks = (ranges: readonly Range[]): boolean =>
      wanted.some(({ byteStart, byteEnd }) => !holdsRange(ranges, [byteStart, byteEnd]));
    if (lacks(ours)) findings.missed.push(region);
    // Chunks that lack records cannot be compared.
    if (lacks(theirs)) findings.missedByGmod.push(region);
    else if (!ours.every((range) => holdsRange(theirs, range))) findings.larger.push(region);
    findings.compared++;
    findings.withRecords += Math.min(wanted.length, 1);
    findings.smaller += Number(lengthOf(ours) < lengthOf(theirs));
  }
}

/**
 * @gmod/tabix adds one to the start of a region of a TBI, and so leaves out the smallest bin of its first base where that
 * is the last one of the bin.
 */
function isMisreadByGmod(format: BinningIndex['format'], { start }: RegionQuery): boolean {
  return format === 'TBI' && start % LEAF_SPAN === LEAF_SPAN - 1;
}

describe('fixtures', () => {
  const names = fixtureNames('').filter((name) => /\.(bai|csi|tbi)$/.test(name));
  const total = noFindings();

  test.each(names)('%s: chunks contain every record and nothing outside of those of @gmod', async (name) => {
    const file = readPlacedFile(name.replace(/\.[^.]+$/, ''));
    const bytes = readFixture(name);
    const { format, tabix } = parseBinningIndex(bytes);
    const fileIds = (tabix?.names ?? file.referenceNames).map((reference) => file.referenceNames.indexOf(reference));
    const records = file.records.map((record) => ({ ...record, referenceId: fileIds.indexOf(record.referenceId) }));
    const regions = fileIds
      .flatMap((_, referenceId) => regionsOn(referenceId, records))
      .filter((region) => !isMisreadByGmod(format, region));
    const findings = noFindings();
    await compare({ bytes, records, locate: file.locate }, regions, findings);
    expect(findings).toMatchObject({ missed: [], missedByGmod: [], larger: [] });
    total.compared += findings.compared;
    total.withRecords += findings.withRecords;
    total.smaller += findings.smaller;
  });

  test('many regions were compared, many with records and many with smaller chunks', () => {
    expect(names.length).toBeGreaterThanOrEqual(13);
    expect(total.compared).toBeGreaterThan(volume(12_000));
    expect(total.withRecords).toBeGreaterThan(volume(6000));
    expect(total.smaller).toBeGreaterThan(volume(2000));
  });
});

/** Regions that begin anywhere, near the edges of bins, or at the start or end of a record. */
function regionsOn(referenceId: number, records: readonly PlacedRecord[]): RegionQuery[] {
  const own = records.filter((record) => record.referenceId === referenceId);
  const edges = own.length === 0 ? [0] : own.flatMap(({ baseStart, baseEnd }) => [baseStart, baseEnd - 1, baseEnd]);
  const end = edges.reduce((last, edge) => Math.max(last, edge), 0) + 2 * LEAF_SPAN;
  const start = fc.oneof(
    fc.nat(end),
    fc.constantFrom(...edges),
    fc
      .tuple(fc.nat(Math.ceil(end / LEAF_SPAN)), fc.integer({ min: -2, max: 2 }))
      .map(([leaf, shift]) => Math.max(0, leaf * LEAF_SPAN + shift)),
  );
  const width = fc.oneof(
    fc.nat(29).map((exponent) => 2 ** exponent),
    fc.integer({ min: 1, max: 40_000 }),
  );
  return fc
    .sample(fc.tuple(start, width), { seed: SEED + referenceId, numRuns: REGIONS_PER_REFERENCE })
    .map(([start, width]) => ({ referenceId, start, end: start + width }));
}

/** Files whose virtual offsets are exact as single numbers. */
const generatedFiles = fc
  .sample(fc.tuple(sortedRecords, writerHabits, fc.array(regionQuery, { minLength: 8, maxLength: 8 })), {
    seed: SEED,
    numRuns: GENERATED_FILES,
  })
  .filter(([records]) => (records.at(-1)?.end.coffset ?? 0) < 2 ** 36);

const locateAsNumber = ({ coffset, uoffset }: VirtualOffset): number => coffset * 2 ** 16 + uoffset;

function edgeRegions({ referenceId, baseStart, baseEnd }: IndexedRecord): RegionQuery[] {
  return [
    { referenceId, start: Math.max(0, baseStart - 9), end: baseStart + 1 },
    { referenceId, start: baseEnd - 1, end: baseEnd + 40_000 },
  ].filter(() => referenceId >= 0);
}

/** Compares all generated files, with records changed by `adapt`. */
async function compareGenerated(
  format: BinningIndex['format'],
  write: (records: readonly IndexedRecord[], habits: WriterHabits) => Uint8Array,
  adapt: (record: IndexedRecord) => IndexedRecord,
): Promise<Findings> {
  const findings = noFindings();
  for (const [placed, habits, somewhere] of generatedFiles) {
    const indexed = placed.map(adapt);
    const records = indexed.map(({ start, end, ...record }) => {
      return { ...record, byteStart: locateAsNumber(start), byteEnd: locateAsNumber(end) };
    });
    const regions = [...somewhere, ...indexed.slice(0, 20).flatMap(edgeRegions)];
    const bytes = write(indexed, { ...habits, hasPseudoBin: true });
    await compare(
      { bytes, records, locate: locateAsNumber },
      regions.filter((region) => !isMisreadByGmod(format, region)),
      findings,
    );
  }
  return findings;
}

const asMapped = (record: IndexedRecord): IndexedRecord => ({ ...record, isUnmapped: false });
const asItIs = (record: IndexedRecord): IndexedRecord => record;

const WRITERS = {
  BAI: (records: readonly IndexedRecord[], habits: WriterHabits) => writeBai(records, REFERENCE_COUNT, habits),
  CSI: (records: readonly IndexedRecord[], habits: WriterHabits) =>
    writeCsi(records, REFERENCE_COUNT, { ...habits, scheme: { minShift: 14, depth: 5 } }),
  TBI: (records: readonly IndexedRecord[], habits: WriterHabits) =>
    buildTbi(tabixHeader('a\0b\0c\0'), writeBai(records, REFERENCE_COUNT, habits)),
};

/** The habits of our own writer. */
function build(format: BinningIndex['format'], records: readonly IndexedRecord[]): Uint8Array {
  const start = records[0]?.start ?? { coffset: 100, uoffset: 0 };
  const builder = new BinningIndexBuilder({ format, start, referenceCount: REFERENCE_COUNT });
  for (const { isUnmapped, end, ...span } of records) builder.add({ ...span, isMapped: !isUnmapped }, end);
  const tabix = { ...TABIX_SETTINGS.vcf, names: ['a', 'b', 'c'] };
  return builder.finish({ end: records.at(-1)?.end ?? start, ...(format === 'TBI' && { tabix }) });
}

describe('generated files', () => {
  const writers = (['BAI', 'CSI', 'TBI'] as const).flatMap((format) => [
    { format, by: 'written plainly', write: WRITERS[format] },
    { format, by: 'built', write: (records: readonly IndexedRecord[]) => build(format, records) },
  ]);

  test.each(writers)(
    'of mapped records, $format, $by: chunks hold every record, and nothing that those of @gmod do not',
    async ({ format, write }) => {
      const findings = await compareGenerated(format, write, asMapped);
      expect(findings).toMatchObject({ missed: [], missedByGmod: [], larger: [] });
      expect(findings.compared).toBeGreaterThan(volume(5000));
      expect(findings.withRecords).toBeGreaterThan(volume(3000));
      expect(findings.smaller).toBeGreaterThan(volume(100));
    },
  );

  test('with unmapped records, CSI: as without', async () => {
    const findings = await compareGenerated('CSI', WRITERS.CSI, asItIs);
    expect(findings).toMatchObject({ missed: [], missedByGmod: [], larger: [] });
    expect(findings.compared).toBeGreaterThan(volume(5000));
  });

  // If its writer left unmapped records out of the linear index, a BAI does not hold where the first one of a window is.
  // @gmod/bam takes the linear index at its word.
  test('with unmapped records, BAI: @gmod misses some and has smaller chunks in a few regions', async () => {
    const findings = await compareGenerated('BAI', WRITERS.BAI, asItIs);
    expect(findings.missed).toEqual([]);
    expect(findings.missedByGmod.length).toBeGreaterThan(volume(10));
    expect(findings.larger.length).toBeLessThan(findings.compared / 100);
    expect(findings.smaller).toBeGreaterThan(2 * findings.larger.length);
  });
});

test('@gmod/tabix misses a record at the last base of a bin if the region begins there', async () => {
  const chunk = { start: { coffset: 100, uoffset: 0 }, end: { coffset: 100, uoffset: 50 } };
  const last = LEAF_SPAN - 1;
  const record = { referenceId: 0, baseStart: last, baseEnd: LEAF_SPAN, isUnmapped: false, ...chunk };
  const bytes = WRITERS.TBI([record], {
    mergesSmallBins: false,
    indexesUnmapped: true,
    emptyWindows: 'zero',
    hasPseudoBin: true,
    hasLinearIndex: true,
    binOrder: (number) => number,
  });
  const index = parseBinningIndex(bytes);
  const region = { referenceId: 0, start: last, end: LEAF_SPAN };
  expect(index.chunks(region)).toEqual([chunk]);
  expect(await openWithGmod(bytes, index)(region)).toEqual([]);
  expect(await openWithGmod(bytes, index)({ ...region, start: last - 1 })).toEqual([chunk]);
});
