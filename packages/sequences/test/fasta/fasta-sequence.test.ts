import { deflateBlocks } from '@htskit/bgzf';
import { describe, expect, test } from 'vitest';
import { openFasta } from '../../src/fasta/open-fasta.js';
import type { BaseRange, Sequence } from '../../src/sequence.js';
import { countingSource } from './counting-source.js';
import { readBases } from './read-bases.js';

const failsWith = (code: string) => expect.objectContaining({ code }) as unknown;

/** A FASTA of one record of two million bases, no two stretches of which are equal, and the bases. */
const BASES = Array.from({ length: 100_000 }, (_, index) => index.toString(4).padStart(20, '0'))
  .join('')
  .replace(/\d/g, (digit) => 'ACGT'[Number(digit)] ?? '');
const FASTA = new TextEncoder().encode(`>a\n${BASES.replace(/.{60}/g, '$&\n')}\n`);

const kinds = [
  { kind: 'plain', stored: FASTA },
  { kind: 'bgzipped', stored: deflateBlocks(FASTA) },
];

async function openFirst(stored: Uint8Array, options: { version?: string; cachedBlocks?: number } = {}) {
  const source = countingSource(stored, options.version);
  const { cachedBlocks } = options;
  const [sequence] = await openFasta({ data: source, ...(cachedBlocks !== undefined && { limits: { cachedBlocks } }) });
  if (sequence === undefined) throw new Error('no record');
  source.reads = 0;
  source.streams = 0;
  source.bytesRead = 0;
  return { source, sequence };
}

async function readAtOnce(sequence: Sequence, range: BaseRange): Promise<string> {
  return new TextDecoder().decode(await sequence.read(range));
}

describe.each(kinds)('$kind', ({ stored }) => {
  test.each([
    [0, 2_000_000],
    [1_234_567, 1_999_999],
    [59, 700_061],
    [100, 50_000],
    [0, 1],
    [1_999_999, 2_000_000],
    [1_000, 1_000],
  ])('bases %i to %i are those of the text', async (start, end) => {
    const { sequence } = await openFirst(stored);
    expect(await readBases(sequence, { start, end })).toBe(BASES.slice(start, end));
    expect(await readAtOnce(sequence, { start, end })).toBe(BASES.slice(start, end));
  });

  test('a long range is read as it is consumed', async () => {
    const { source, sequence } = await openFirst(stored);
    const reader = sequence.stream({ start: 0, end: 2_000_000 }).getReader();
    expect(source.bytesRead).toBe(0);
    const { value } = await reader.read();
    expect(value?.length).toBeGreaterThan(0);
    expect(source.bytesRead).toBeLessThanOrEqual(600_000);
    await reader.cancel();
    expect(source.bytesRead).toBeLessThanOrEqual(600_000);
    expect(source.streams).toBe(1);
  });

  test('nothing is read for no bases', async () => {
    const { source, sequence } = await openFirst(stored);
    expect(await readBases(sequence, { start: 5, end: 5 })).toBe('');
    expect(await readAtOnce(sequence, { start: 5, end: 5 })).toBe('');
    expect(source.bytesRead).toBe(0);
  });

  test('a signal ends a stream', async () => {
    const { sequence } = await openFirst(stored);
    const controller = new AbortController();
    const reader = sequence.stream({ start: 0, end: 2_000_000 }, { signal: controller.signal }).getReader();
    await reader.read();
    controller.abort();
    await expect(reader.read()).rejects.toThrow(/abort/);
  });

  test('an aborted signal lets nothing begin', async () => {
    const { source, sequence } = await openFirst(stored);
    const options = { signal: AbortSignal.abort() };
    await expect(sequence.stream({ start: 0, end: 10 }, options).getReader().read()).rejects.toThrow(/abort/);
    await expect(sequence.read({ start: 0, end: 10 }, options)).rejects.toThrow(/abort/);
    expect(source.bytesRead).toBe(0);
  });

  test('a replaced file is noticed by its version', async () => {
    const { source, sequence } = await openFirst(stored, { version: '1' });
    source.replace(stored);
    await expect(readAtOnce(sequence, { start: 0, end: 10 })).rejects.toEqual(failsWith('CHANGED'));
    await expect(readBases(sequence)).rejects.toEqual(failsWith('CHANGED'));
  });

  test.each([
    [-1, 5],
    [5, 4],
    [0, 2_000_001],
    [0.5, 2],
    [0, Number.NaN],
    [0, Number.POSITIVE_INFINITY],
  ])('%d to %d is no range of it', async (start, end) => {
    const { sequence } = await openFirst(stored);
    expect(() => sequence.stream({ start, end })).toThrow(RangeError);
    expect(() => sequence.read({ start, end })).toThrow(RangeError);
  });

  test('many reads at once do not disturb each other', async () => {
    const { sequence } = await openFirst(stored, { cachedBlocks: 2 });
    const starts = Array.from({ length: 200 }, (_, index) => (index * 7_919_831) % 1_999_000);
    const slices = await Promise.all(starts.map((start) => readAtOnce(sequence, { start, end: start + 1000 })));
    expect(slices).toEqual(starts.map((start) => BASES.slice(start, start + 1000)));
  });
});

test('a kilobase of plain FASTA takes one read of what it spans', async () => {
  const { source, sequence } = await openFirst(FASTA);
  await readAtOnce(sequence, { start: 1_000_000, end: 1_001_000 });
  expect([source.reads, source.streams, source.bytesRead]).toEqual([1, 0, 1017]);
});

test('a kilobase of bgzipped FASTA takes one read, and none when its block is here', async () => {
  const { source, sequence } = await openFirst(deflateBlocks(FASTA));
  await readAtOnce(sequence, { start: 1_000_000, end: 1_001_000 });
  expect([source.reads, source.streams]).toEqual([1, 0]);
  await readAtOnce(sequence, { start: 1_001_000, end: 1_002_000 });
  expect([source.reads, source.streams]).toEqual([1, 0]);
});

describe('a source without versions', () => {
  const edit = (at: number, byte: number) => {
    const edited = FASTA.slice();
    edited[at] = byte;
    return edited;
  };

  test.each([
    ['has fewer letters', edit(10, 0x0a)],
    ['is shorter', FASTA.slice(0, 1000)],
  ])('that %s than it had is noticed', async (_, replacement) => {
    const { source, sequence } = await openFirst(FASTA);
    source.replace(replacement);
    await expect(readAtOnce(sequence, { start: 0, end: 1500 })).rejects.toEqual(failsWith('DATA_MISMATCH'));
    await expect(readBases(sequence)).rejects.toEqual(failsWith('DATA_MISMATCH'));
  });

  test('that has more letters than it had never gives more bases than were asked for', async () => {
    const { source, sequence } = await openFirst(FASTA);
    source.replace(FASTA.map((byte) => (byte === 0x0a ? 0x41 : byte)));
    await expect(readAtOnce(sequence, { start: 0, end: 1500 })).rejects.toEqual(failsWith('DATA_MISMATCH'));
    await expect(readBases(sequence)).rejects.toEqual(failsWith('DATA_MISMATCH'));
  });
});
