import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { AlignmentRecord, createSamToBam } from '@htskit/formats';
import { indexBam } from '@htskit/indexes';
import { concatBytes, peek, readChunks } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { createRandom, fixturePath, readFixture, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { type AlignmentFile, openAlignments, type Region, readPairs } from '../../src/index.js';
import { genomeReference } from '../genome-reference.js';

const options = { reference: genomeReference, onWarning: () => undefined };

/** The primary alignments of a file, as copies. */
async function primaryReads(file: AlignmentFile, regions?: Region | readonly Region[]): Promise<AlignmentRecord[]> {
  const reads: AlignmentRecord[] = [];
  for await (const read of file.records(regions)) {
    if (!(read.isSecondary || read.isSupplementary)) reads.push(new AlignmentRecord(read.bytes.slice()));
  }
  return reads;
}

/** Identifies an alignment. */
function idOf(read: AlignmentRecord | undefined): string {
  return read === undefined ? '-' : `${read.name} ${read.isFirstInPair ? 1 : 2} ${read.referenceId}:${read.start}`;
}

/** Returns the pairs of reads of regions, each as sorted ids. The mate of a read is looked for among all. */
function expectedPairs(found: readonly AlignmentRecord[], all: readonly AlignmentRecord[]): string[] {
  const byRead = new Map(all.map((read) => [`${read.name} ${read.isFirstInPair}`, read]));
  const pairs = found.map((read) => {
    const mate = read.isPaired ? byRead.get(`${read.name} ${!read.isFirstInPair}`) : undefined;
    return [idOf(read), idOf(mate)].toSorted().join(' + ');
  });
  return Array.from(new Set(pairs)).toSorted();
}

async function pairsOf(file: AlignmentFile, regions: Region | readonly Region[]): Promise<string[]> {
  const pairs: string[] = [];
  for await (const { read, mate } of readPairs(file, regions))
    pairs.push([idOf(read), idOf(mate)].toSorted().join(' + '));
  return pairs.toSorted();
}

const REFERENCES = [
  { name: 'a', length: 400_000 },
  { name: 'b', length: 300_000 },
];

/** An alignment of 50 bases, or an unmapped read. */
interface Place {
  readonly reference: number;
  readonly start: number;
  readonly isUnmapped?: boolean;
}

/** Returns a line of SAM. */
function samLine(name: string, flags: number, place: Place, mate: Place | undefined): string {
  const nameOf = ({ reference }: Place): string => REFERENCES[reference]?.name ?? '*';
  const bits = (place.isUnmapped === true ? 4 : 0) + (mate?.isUnmapped === true ? 8 : 0) + (mate === undefined ? 0 : 1);
  const cigar = place.isUnmapped === true ? '*' : '50M';
  const next = mate === undefined ? ['*', 0] : [nameOf(mate), mate.start + 1];
  const fields = [name, flags + bits, nameOf(place), place.start + 1, 60, cigar, ...next, 0, 'A'.repeat(50), '*'];
  return fields.join('\t');
}

/** Opens a BAM file of pairs whose mates are near, far, on another reference, unmapped or missing, and of other reads. */
async function openPairs(random: () => number): Promise<AlignmentFile> {
  const lines: { readonly place: Place; readonly line: string }[] = [];
  const add = (name: string, flags: number, place: Place, mate?: Place): number =>
    lines.push({ place, line: samLine(name, flags, place, mate) });
  const placeAt = (): Place => {
    const reference = random() < 0.6 ? 0 : 1;
    return { reference, start: Math.floor(random() * ((REFERENCES[reference]?.length ?? 0) - 1000)) };
  };
  for (let i = 0; i < 3000; i++) {
    const first = placeAt();
    const kind = Math.floor(random() * 12);
    const near = { ...first, start: first.start + Math.floor(random() * 600) };
    const second = kind < 6 ? near : kind < 9 ? placeAt() : kind === 9 ? { ...first, isUnmapped: true } : first;
    if (kind === 11) add(`r${i}`, 0, first);
    else add(`r${i}`, 64, first, second);
    if (kind < 10) add(`r${i}`, 128, second, first);
    if (kind === 3) add(`r${i}`, 64 + 2048, placeAt(), second);
    if (kind === 4) add(`r${i}`, 64 + 256, placeAt(), second);
  }
  const nowhere = { reference: -1, start: -1, isUnmapped: true };
  for (let i = 0; i < 20; i++) for (const flags of [64, 128]) add(`u${i}`, flags, nowhere, nowhere);
  const order = ({ place }: { readonly place: Place }): number => (place.reference >>> 0) * 2 ** 20 + place.start;
  const text = lines.toSorted((x, y) => order(x) - order(y)).map(({ line }) => `${line}\n`);
  const names = REFERENCES.map(({ name, length }) => `@SQ\tSN:${name}\tLN:${length}\n`);
  const converter = createSamToBam({ text: names.join(''), references: REFERENCES });
  const records = converter.push(new TextEncoder().encode(text.join(''))).map(peek);
  const bytes = concatBytes([...[converter.header, ...records].map((part) => deflateBlocks(part)), EOF_MARKER]);
  const index = await indexBam(readChunks(memorySource(bytes).stream({ start: 0, end: bytes.length })));
  return openAlignments(memorySource(bytes, { version: '1' }), { index: memorySource(index) });
}

test('yields each pair of the reads of regions once, with mates from anywhere', async () => {
  const random = createRandom(5);
  const file = await openPairs(random);
  const all = await primaryReads(file);
  const placed = all.filter(({ referenceId }) => referenceId >= 0);
  let [far, alone] = [0, 0];
  for (let pass = 0; pass < volume(100); pass++) {
    const regions = Array.from({ length: 1 + Math.floor(3 * random()) }, (): Region => {
      const { name: referenceName, length } = REFERENCES[random() < 0.5 ? 0 : 1] ?? { name: '', length: 0 };
      const start = Math.floor(random() * length);
      return { referenceName, start, end: start + Math.ceil(random() ** 2 * length) };
    });
    const found = await primaryReads(file, regions);
    const pairs = await pairsOf(file, regions);
    expect(pairs).toEqual(expectedPairs(found, placed));
    far += pairs.filter((pair) => / 0:.* 1:|0:(\d{6}) .* 0:\d{1,5}$/.test(pair)).length;
    alone += pairs.filter((pair) => pair.startsWith('- + ')).length;
  }
  expect(far).toBeGreaterThan(volume(100));
  expect(alone).toBeGreaterThan(volume(100));
});

test('yields the pairs of all references, and of reads without one', async () => {
  const file = await openPairs(createRandom(6));
  const all = await primaryReads(file);
  const everywhere = [...REFERENCES.map(({ name: referenceName }) => ({ referenceName })), { referenceName: '*' }];
  const pairs = await pairsOf(file, everywhere);
  expect(pairs).toEqual(expectedPairs(all, all));
  expect(pairs.filter((pair) => pair.includes('u1 ')).length).toBe(1);
});

test('looks up the mates of all reads by one reading of the index', async () => {
  const file = await openPairs(createRandom(7));
  const lookups: number[] = [];
  const counting: AlignmentFile = {
    ...file,
    records(regions, more) {
      lookups.push(Array.isArray(regions) ? regions.length : 1);
      return file.records(regions, more);
    },
  };
  await pairsOf(counting, { referenceName: 'a', start: 50_000, end: 150_000 });
  expect(lookups.length).toBe(2);
  expect(lookups[1]).toBeGreaterThan(50);
});

test('yields the reads of a file without pairs alone', async () => {
  const file = await openAlignments(fixturePath('reads.cram'), options);
  const region = { referenceName: 'chr1', start: 10_000, end: 20_000 };
  const pairs = await pairsOf(file, region);
  expect(pairs).toEqual(expectedPairs(await primaryReads(file, region), []));
  expect(pairs.length).toBeGreaterThan(10);
  await file.close();
});

describe('estimateBytes', () => {
  test.each(['reads.bam', 'reads.cram'])('of %s bounds what a region reads', async (name) => {
    const bytes = readFixture(name);
    const source = memorySource(bytes, { version: '1' });
    const file = await openAlignments(source, {
      ...options,
      index: fixturePath(`${name}.${name.endsWith('.bam') ? 'bai' : 'crai'}`),
    });
    const estimate = async (regions?: Region | readonly Region[]): Promise<number> =>
      (await file.estimateBytes(regions)) ?? -1;
    expect(await estimate()).toBe(bytes.length);
    const all = await estimate(file.references.map(({ name: referenceName }) => ({ referenceName })));
    const region = await estimate({ referenceName: 'chr1', start: 10_000, end: 12_000 });
    expect(region).toBeGreaterThan(0);
    expect(region).toBeLessThan(all);
    expect(all).toBeLessThanOrEqual(bytes.length);
    expect(await estimate({ referenceName: 'chr1', start: 0, end: 0 })).toBe(0);
    const unplaced = await estimate({ referenceName: '*' });
    expect(unplaced).toBeGreaterThan(0);
    expect(unplaced).toBeLessThan(all);
    await expect(file.estimateBytes('nowhere')).rejects.toMatchObject({ code: 'UNKNOWN_REFERENCE' });
    expect(await file.estimateBytes('nowhere', { skipUnknown: true })).toBe(0);
    await file.close();
  });

  test('needs an index', async () => {
    const file = await openAlignments(memorySource(readFixture('reads.bam')), options);
    await expect(file.estimateBytes('chr1')).rejects.toMatchObject({ code: 'MISSING_INDEX' });
  });
});
