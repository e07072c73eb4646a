import { BgzfError } from '@htskit/bgzf';
import { SequenceDigester } from '@htskit/digest';
import { IndexError } from '@htskit/indexes';
import { memorySource } from '@htskit/storage/memory';
import { mutations, readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import { type OpenFastaOptions, openFasta } from '../../src/fasta/open-fasta.js';
import type { Sequence } from '../../src/sequence.js';
import { SequenceSourceError } from '../../src/sequence-source-error.js';
import { readBases } from './read-bases.js';

/** Both take part in every mutation test: a damaged file is refused, or served as what it now is. */
let [refused, opened] = [0, 0];

/** The sequences, or undefined where the file is refused with an error that says so. */
async function openDamaged(options: OpenFastaOptions): Promise<readonly Sequence[] | undefined> {
  try {
    const sequences = await openFasta(options);
    opened += 1;
    return sequences;
  } catch (error) {
    const isTyped = [BgzfError, IndexError, SequenceSourceError].some((type) => error instanceof type);
    if (!isTyped) throw error;
    refused += 1;
    return undefined;
  }
}

/** Throws unless every sequence gives the bases that its digests are of, whole and in parts. */
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

test('a damaged FASTA is refused, or gives the bases that its digests are of', async () => {
  [refused, opened] = [0, 0];
  for (const name of ['crlf.fa', 'genome.fa.gz']) {
    const small = name === 'crlf.fa' ? readFixture(name).subarray(0, 2000) : readFixture(name);
    for (const { bytes } of mutations(small, { seed: 7, count: 300 })) {
      await checkBases((await openDamaged({ data: memorySource(bytes) })) ?? []);
    }
  }
  expect(Math.min(refused, opened)).toBeGreaterThan(10);
});

test('a damaged .fai is refused, or changes nothing', async () => {
  [refused, opened] = [0, 0];
  const data = memorySource(readFixture('crlf.fa'));
  const expected = (await openFasta({ data })).map(({ metadata }) => metadata);
  for (const { bytes } of mutations(readFixture('crlf.fa.fai'), { seed: 8, count: 600 })) {
    const sequences = await openDamaged({ data, fai: memorySource(bytes) });
    expect(sequences?.map(({ metadata }) => metadata) ?? expected).toEqual(expected);
  }
  expect(refused).toBeGreaterThan(300);
});

test('a damaged .gzi is refused, or changes nothing', async () => {
  [refused, opened] = [0, 0];
  const data = memorySource(readFixture('genome.fa.gz'));
  const expected = (await openFasta({ data })).map(({ metadata }) => metadata);
  for (const { bytes } of mutations(readFixture('genome.fa.gz.gzi'), { seed: 9, count: 150 })) {
    const sequences = await openDamaged({ data, gzi: memorySource(bytes) });
    expect(sequences?.map(({ metadata }) => metadata) ?? expected).toEqual(expected);
  }
  expect(refused).toBeGreaterThan(100);
});
