import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SequenceDigester } from '@htskit/digest';
import { FormatError } from '@htskit/formats';
import { fileSource } from '@htskit/storage/file';
import { memorySource } from '@htskit/storage/memory';
import { createRandom, encodeTwoBit, mutations, type TwoBitInput, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { SequenceSourceError } from '../../src/sequence-source-error.js';
import { type OpenTwoBitOptions, openTwoBit } from '../../src/two-bit/open-two-bit.js';
import { countingSource } from '../fasta/counting-source.js';
import { readBases } from '../fasta/read-bases.js';

const random = createRandom(11);
const letters = (length: number, alphabet: string): string =>
  Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('');

const inputs: readonly TwoBitInput[] = [
  { name: 'chr1', bases: `NNNNN${letters(300_000, 'ACGTacgt')}NNN${letters(1001, 'ACGT')}nnn` },
  { name: 'chrM', bases: letters(1003, 'acgtN') },
  { name: 'empty', bases: '' },
  { name: 'one', bases: 'n' },
];
const bytes = encodeTwoBit(inputs);
const digestsOf = (bases: string) => new SequenceDigester().update(new TextEncoder().encode(bases)).digest();

async function errorOf(options: OpenTwoBitOptions): Promise<unknown> {
  return openTwoBit(options).catch((error: unknown) => error);
}

test.each([
  { isLittleEndian: true, version: 0 },
  { isLittleEndian: false, version: 1 },
] as const)('returns the sequences of a file with %o in upper case, with their digests', async (options) => {
  const sequences = await openTwoBit({
    data: memorySource(encodeTwoBit(inputs, options)),
    circular: new Set(['chrM']),
    namingAuthority: 'ucsc',
  });
  const found = await Promise.all(
    sequences.map(async (sequence) => ({ name: sequence.name, bases: await readBases(sequence) })),
  );
  expect(found).toEqual(inputs.map(({ name, bases }) => ({ name, bases: bases.toUpperCase() })));
  expect(sequences.map(({ metadata }) => metadata)).toEqual(
    inputs.map(({ name, bases }) => ({
      ...digestsOf(bases),
      aliases: [{ alias: name, namingAuthority: 'ucsc' }],
      circular: name === 'chrM',
    })),
  );
});

test('reads and streams parts of the whole', async () => {
  const [chr1] = await openTwoBit({ data: memorySource(bytes) });
  const whole = inputs[0]?.bases.toUpperCase() ?? '';
  const ends = [0, 1, 4, 5, 6, 7, 9, 150_000, 300_004, 300_005, 300_008, 300_009, whole.length - 3, whole.length];
  for (const start of ends) {
    for (const end of ends.filter((other) => other >= start)) {
      const range = { start, end };
      const streamed = chr1 && (await new Response(chr1.stream(range)).text());
      expect([start, end, streamed === whole.slice(start, end)]).toEqual([start, end, true]);
      expect(new TextDecoder().decode(await chr1?.read(range)) === whole.slice(start, end)).toBe(true);
    }
  }
});

test('reads into the memory of the caller, at any alignment', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'htskit-two-bit-')), 'genome.2bit');
  writeFileSync(path, bytes);
  const data = fileSource(path);
  const [chr1] = await openTwoBit({ data });
  const whole = inputs[0]?.bases.toUpperCase() ?? '';
  const memory = new Uint8Array(whole.length + 16);
  const differing: string[] = [];
  for (const start of [0, 1, 2, 3, 4, 100_001]) {
    for (const length of [1, 4, 63, 66_000, 200_001]) {
      for (const [offset, room] of [
        [0, 8],
        [1, 8],
        [3, 6],
        [2, 0],
        [0, -1],
      ] as const) {
        const into = memory.subarray(offset, offset + length + room);
        const bases = await chr1?.read({ start, end: start + length }, { into });
        const isEqual = new TextDecoder().decode(bases) === whole.slice(start, start + length);
        const isView = bases?.buffer === memory.buffer;
        if (!isEqual || (room === 8 && !isView))
          differing.push(`${length} bases at ${start}, ${room} more from ${offset}`);
      }
    }
  }
  await data.close();
  rmSync(dirname(path), { recursive: true });
  expect(differing).toEqual([]);
});

test('reads only the bytes that hold a slice, and the record once', async () => {
  const data = countingSource(bytes, 'v1');
  const [chr1] = await openTwoBit({ data });
  await chr1?.read({ start: 0, end: 1 });
  const before = data.bytesRead;
  await chr1?.read({ start: 100_001, end: 101_001 });
  expect(data.bytesRead - before).toBe(251);
});

test('reads each base once to open and to stream', async () => {
  const data = countingSource(bytes, 'v1');
  await openTwoBit({ data });
  expect(data.bytesRead).toBeLessThan(bytes.length + 65_536 + 4096);
});

test.each([
  { start: -1, end: 2 },
  { start: 2, end: 1 },
  { start: 0, end: 1004 },
  { start: 0.5, end: 1 },
])('rejects a range outside of the sequence: %o', async (range) => {
  const [, chrM] = await openTwoBit({ data: memorySource(bytes) });
  expect(() => chrM?.read(range)).toThrow(RangeError);
  expect(() => chrM?.stream(range)).toThrow(RangeError);
});

test('reads an index that is longer than the first read', async () => {
  const many = Array.from({ length: 3000 }, (_, index) => ({
    name: `scaffold-${'x'.repeat(40)}-${index}`,
    bases: 'ACG',
  }));
  const sequences = await openTwoBit({ data: memorySource(encodeTwoBit(many)) });
  expect(sequences.map(({ name }) => name)).toEqual(many.map(({ name }) => name));
});

test('returns no sequences of an empty file', async () => {
  expect(await openTwoBit({ data: memorySource(encodeTwoBit([])) })).toEqual([]);
});

describe('a lossy copy, recognised by its MD5s,', () => {
  // As faToTwoBit writes ACRGT.
  const data = memorySource(encodeTwoBit([{ name: 'a', bases: 'ACNGT' }]));

  test('is rejected with the name of the sequence', async () => {
    const error = await errorOf({ data, expected: new Map([['a', digestsOf('ACRGT').md5]]) });
    expect(error).toBeInstanceOf(SequenceSourceError);
    expect(error).toMatchObject({
      code: 'DIGEST_MISMATCH',
      message: expect.stringContaining('sequence "a" ') as string,
    });
  });

  test.each([
    ['the same', new Map([['a', digestsOf('ACNGT').md5]])],
    ['those of others', new Map([['b', digestsOf('ACRGT').md5]])],
  ])('is served where they are %s', async (_, expected) => {
    expect(await openTwoBit({ data, expected })).toHaveLength(1);
  });
});

test.each([
  ['sequences', { sequences: 3 }],
  ['runs of N', { recordBytes: 27 }],
])('rejects more %s than the limit', async (_, limits) => {
  expect(await errorOf({ data: memorySource(bytes), limits })).toMatchObject({ code: 'LIMIT_EXCEEDED' });
});

test('rejects sequences that share their bases', async () => {
  const shared = encodeTwoBit(
    Array.from({ length: 9 }, (_, index) => ({ name: `${index}`, bases: 'ACGT'.repeat(100) })),
  );
  const view = new DataView(shared.buffer);
  for (let index = 1; index < 9; index++) view.setUint32(16 + 6 * index + 2, view.getUint32(18, true), true);
  const alone = encodeTwoBit([{ name: '0', bases: 'ACGT'.repeat(100) }]).length - 22;
  const error = await errorOf({ data: memorySource(shared.subarray(0, 16 + 6 * 9 + alone)) });
  expect(error).toBeInstanceOf(FormatError);
  expect(error).toMatchObject({ code: 'INVALID_DATA' });
});

test('rejects sequences without bases that share their runs of N', async () => {
  const alone = encodeTwoBit([{ name: '0', bases: 'NA'.repeat(1000) }]).subarray(22);
  const entries = Array.from({ length: 9 }, (_, index) => [1, 0x30 + index, 16 + 6 * 9, 0, 0, 0]);
  const header = [0x43, 0x27, 0x41, 0x1a, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0];
  const error = await errorOf({ data: memorySource(Uint8Array.from([...header, ...entries.flat(), ...alone])) });
  expect(error).toBeInstanceOf(FormatError);
  expect(error).toMatchObject({ code: 'INVALID_DATA', message: expect.stringContaining('overlap') as string });
});

test('does not read a replaced file', async () => {
  const data = countingSource(bytes, 'v1');
  const [chr1] = await openTwoBit({ data });
  data.replace(bytes);
  await expect(chr1?.read({ start: 0, end: 9 })).rejects.toMatchObject({ code: 'CHANGED' });
});

test('fails if a source without versions becomes shorter', async () => {
  const data = countingSource(bytes);
  const [chr1] = await openTwoBit({ data });
  await chr1?.read({ start: 0, end: 9 });
  data.replace(bytes.subarray(0, 1000));
  const range = { start: 100_000, end: 290_000 };
  await expect(chr1?.read(range)).rejects.toMatchObject({ code: 'DATA_MISMATCH' });
  await expect(chr1 && new Response(chr1.stream(range)).text()).rejects.toMatchObject({ code: 'DATA_MISMATCH' });
});

test('stops opening when the signal is aborted', async () => {
  const controller = new AbortController();
  const onProgress = (): void => controller.abort(new Error('enough'));
  await expect(openTwoBit({ data: memorySource(bytes), signal: controller.signal, onProgress })).rejects.toThrow(
    /enough|aborted/,
  );
});

/** Opens a file. Throws for an error of another type and for bases that do not match the digests. */
async function outcomeOf(damaged: Uint8Array): Promise<'rejected' | 'opened'> {
  const opened = await openTwoBit({ data: memorySource(damaged) }).catch((error: unknown) => error);
  if (opened instanceof FormatError || opened instanceof SequenceSourceError) return 'rejected';
  if (!Array.isArray(opened)) throw opened;
  for (const sequence of opened as Awaited<ReturnType<typeof openTwoBit>>) {
    if (digestsOf(await readBases(sequence)).md5 !== sequence.metadata.md5) throw new Error('other bases');
  }
  return 'opened';
}

test('rejects a damaged file or returns bases that match its digests', async () => {
  const outcomes: string[] = [];
  for (const damage of mutations(encodeTwoBit(inputs.slice(1)), { seed: 2, count: volume(800) })) {
    outcomes.push(await outcomeOf(damage.bytes));
  }
  for (const outcome of ['rejected', 'opened']) {
    expect(outcomes.filter((other) => other === outcome).length).toBeGreaterThan(volume(150));
  }
});
