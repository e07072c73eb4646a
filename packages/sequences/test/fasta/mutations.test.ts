import { BgzfError } from '@htskit/bgzf';
import { SequenceDigester } from '@htskit/digest';
import { FormatError } from '@htskit/formats';
import { IndexError } from '@htskit/indexes';
import { memorySource } from '@htskit/storage/memory';
import { mutations, readFixture, volume } from '@htskit/testing';
import { expect, test } from 'vitest';
import { type OpenFastaOptions, openFasta } from '../../src/fasta/open-fasta.js';
import type { Sequence } from '../../src/sequence.js';
import { SequenceSourceError } from '../../src/sequence-source-error.js';
import { readBases } from './read-bases.js';

/** Number of files that were rejected and opened. Every test requires some of both. */
let [rejected, opened] = [0, 0];

/** Returns the sequences, or undefined if the file is rejected with an error of this project. */
async function openDamaged(options: OpenFastaOptions): Promise<readonly Sequence[] | undefined> {
  try {
    const sequences = await openFasta(options);
    opened += 1;
    return sequences;
  } catch (error) {
    const isTyped = [BgzfError, FormatError, IndexError, SequenceSourceError].some((type) => error instanceof type);
    if (!isTyped) throw error;
    rejected += 1;
    return undefined;
  }
}

/** Throws unless the bases of every sequence match its digests, whole and in parts. */
async function checkBases(sequences: readonly Sequence[]): Promise<void> {
  for (const sequence of sequences) {
    const bases = await readBases(sequence);
    const digests = new SequenceDigester().update(new TextEncoder().encode(bases)).digest();
    expect(sequence.metadata).toMatchObject(digests);
    const [start, end] = [Math.floor(bases.length / 3), Math.ceil(bases.length / 2)];
    const part = await sequence.read({ start, end: Math.max(start, end) });
    expect(new TextDecoder().decode(part)).toBe(bases.slice(start, end));
  }
}

test('rejects a damaged FASTA or returns bases that match its digests', async () => {
  [rejected, opened] = [0, 0];
  for (const name of ['crlf.fa', 'genome.fa.gz']) {
    const small = name === 'crlf.fa' ? readFixture(name).subarray(0, 2000) : readFixture(name);
    for (const { bytes } of mutations(small, { seed: 7, count: volume(300) })) {
      await checkBases((await openDamaged({ data: memorySource(bytes) })) ?? []);
    }
  }
  expect(Math.min(rejected, opened)).toBeGreaterThan(volume(10));
});

test('rejects a damaged .fai or returns the same sequences', async () => {
  [rejected, opened] = [0, 0];
  const data = memorySource(readFixture('crlf.fa'));
  const expected = (await openFasta({ data })).map(({ metadata }) => metadata);
  for (const { bytes } of mutations(readFixture('crlf.fa.fai'), { seed: 8, count: volume(600) })) {
    const sequences = await openDamaged({ data, fai: memorySource(bytes) });
    expect(sequences?.map(({ metadata }) => metadata) ?? expected).toEqual(expected);
  }
  expect(rejected).toBeGreaterThan(volume(300));
});

test('rejects a damaged .gzi or returns the same sequences', async () => {
  [rejected, opened] = [0, 0];
  const data = memorySource(readFixture('genome.fa.gz'));
  const expected = (await openFasta({ data })).map(({ metadata }) => metadata);
  for (const { bytes } of mutations(readFixture('genome.fa.gz.gzi'), { seed: 9, count: volume(150) })) {
    const sequences = await openDamaged({ data, gzi: memorySource(bytes) });
    expect(sequences?.map(({ metadata }) => metadata) ?? expected).toEqual(expected);
  }
  expect(rejected).toBeGreaterThan(volume(100));
});
