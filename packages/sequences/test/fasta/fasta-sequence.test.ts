import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { describe, expect, test } from 'vitest';
import { openFasta } from '../../src/fasta/open-fasta.js';
import type { BaseRange, Sequence } from '../../src/sequence.js';
import { countingSource } from './counting-source.js';
import { readBases } from './read-bases.js';

const failsWith = (code: string) => expect.objectContaining({ code }) as unknown;

/** The two million bases of a FASTA of one record, all of whose stretches are different. */
const BASES = Array.from({ length: 100_000 }, (_, index) => index.toString(4).padStart(20, '0'))
  .join('')
  .replace(/\d/g, (digit) => 'ACGT'[Number(digit)] ?? '');
const FASTA = new TextEncoder().encode(`>a\n${BASES.replace(/.{60}/g, '$&\n')}\n`);

const kinds = [
  { kind: 'plain', stored: FASTA },
  { kind: 'bgzipped', stored: Buffer.concat([deflateBlocks(FASTA), EOF_MARKER]) },
];

async function openFirst(stored: Uint8Array, options: { version?: string; cacheBytes?: number } = {}) {
  const source = countingSource(stored, options.version);
  const { cacheBytes } = options;
  const [sequence] = await openFasta({ data: source, ...(cacheBytes !== undefined && { limits: { cacheBytes } }) });
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
  ])('returns bases %i to %i of the text', async (start, end) => {
    const { sequence } = await openFirst(stored);
    expect(await readBases(sequence, { start, end })).toBe(BASES.slice(start, end));
    expect(await readAtOnce(sequence, { start, end })).toBe(BASES.slice(start, end));
  });

  test.each([
    [1_234_567, 1_999_999],
    [59, 61],
  ])('returns bases %i to %i whatever memory the caller has', async (start, end) => {
    const { sequence } = await openFirst(stored);
    for (const byteLength of [0, end - start, 2 * (end - start)]) {
      const bases = await sequence.read({ start, end }, { into: new Uint8Array(byteLength) });
      expect(new TextDecoder().decode(bases) === BASES.slice(start, end)).toBe(true);
    }
  });

  test('reads a long range as it is consumed', async () => {
    const { source, sequence } = await openFirst(stored);
    const reader = sequence.stream({ start: 0, end: 1_900_000 }).getReader();
    expect(source.bytesRead).toBe(0);
    const { value } = await reader.read();
    expect(value?.length).toBeGreaterThan(0);
    expect(source.bytesRead).toBeLessThanOrEqual(600_000);
    await reader.cancel();
    expect(source.bytesRead).toBeLessThanOrEqual(600_000);
    expect(source.streams).toBe(1);
  });

  test('reads nothing for an empty range', async () => {
    const { source, sequence } = await openFirst(stored);
    expect(await readBases(sequence, { start: 5, end: 5 })).toBe('');
    expect(await readAtOnce(sequence, { start: 5, end: 5 })).toBe('');
    expect(source.bytesRead).toBe(0);
  });

  test('ends a stream when its signal is aborted', async () => {
    const { sequence } = await openFirst(stored);
    const controller = new AbortController();
    const reader = sequence.stream({ start: 0, end: 2_000_000 }, { signal: controller.signal }).getReader();
    await reader.read();
    controller.abort();
    await expect(reader.read()).rejects.toThrow(/abort/);
  });

  test('reads nothing if the signal is already aborted', async () => {
    const { source, sequence } = await openFirst(stored);
    const options = { signal: AbortSignal.abort() };
    await expect(sequence.stream({ start: 0, end: 10 }, options).getReader().read()).rejects.toThrow(/abort/);
    await expect(sequence.read({ start: 0, end: 10 }, options)).rejects.toThrow(/abort/);
    expect(source.bytesRead).toBe(0);
  });

  test('detects a replaced file by its version', async () => {
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
  ])('rejects the range [%d, %d)', async (start, end) => {
    const { sequence } = await openFirst(stored);
    expect(() => sequence.stream({ start, end })).toThrow(RangeError);
    expect(() => sequence.read({ start, end })).toThrow(RangeError);
  });

  test('serves concurrent reads', async () => {
    const { sequence } = await openFirst(stored, { cacheBytes: 2 * 65_536 });
    const starts = Array.from({ length: 200 }, (_, index) => (index * 7_919_831) % 1_999_000);
    const slices = await Promise.all(starts.map((start) => readAtOnce(sequence, { start, end: start + 1000 })));
    expect(slices).toEqual(starts.map((start) => BASES.slice(start, start + 1000)));
  });
});

test('reads a kilobase of plain FASTA in one read', async () => {
  const { source, sequence } = await openFirst(FASTA);
  await readAtOnce(sequence, { start: 1_000_000, end: 1_001_000 });
  expect([source.reads, source.streams, source.bytesRead]).toEqual([1, 0, 1017]);
});

test('reads a kilobase of bgzipped FASTA in one read, and from memory if its block is cached', async () => {
  const { source, sequence } = await openFirst(Buffer.concat([deflateBlocks(FASTA), EOF_MARKER]));
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
  ])('detects a file that %s than before', async (_, replacement) => {
    const { source, sequence } = await openFirst(FASTA);
    source.replace(replacement);
    await expect(readAtOnce(sequence, { start: 0, end: 1500 })).rejects.toEqual(failsWith('DATA_MISMATCH'));
    await expect(readBases(sequence)).rejects.toEqual(failsWith('DATA_MISMATCH'));
  });

  test('never returns more bases than requested if the file has more letters than before', async () => {
    const { source, sequence } = await openFirst(FASTA);
    source.replace(FASTA.map((byte) => (byte === 0x0a ? 0x41 : byte)));
    await expect(readAtOnce(sequence, { start: 0, end: 1500 })).rejects.toEqual(failsWith('DATA_MISMATCH'));
    await expect(readBases(sequence)).rejects.toEqual(failsWith('DATA_MISMATCH'));
  });
});
