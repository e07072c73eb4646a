import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fixturePath, readFixture } from '@htskit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Decrypt } from '../../src/objects/object-catalogue.js';
import { type SequenceCatalogueOptions, sequenceCatalogue } from '../../src/sequences/open-sequences.node.js';
import type { WatchedSequences } from '../../src/sequences/watched-sequences.node.js';
import { transformedSource } from '../transformed-source.js';

const FASTA = '>a\nACGT\nAC\n>b\nGGGG\n';
const FAI = 'a\t6\t3\t4\t5\nb\t4\t14\t4\t5\n';

let folder: string;
const logged: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  logged.length = 0;
});

afterEach(() => rmSync(folder, { recursive: true }));

const flip = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => byte ^ 0xff);

/** Stands for decryption: all bits of the stored bytes are flipped. */
const decrypt: Decrypt = (stored) => transformedSource(stored, flip);

function write(name: string, content: string | Uint8Array): void {
  const bytes = Buffer.from(content);
  writeFileSync(join(folder, name), name.endsWith('.c4gh') ? flip(bytes) : bytes);
}

async function open(options: SequenceCatalogueOptions = { decrypt }): Promise<WatchedSequences> {
  const sequences = await sequenceCatalogue(folder, { ...options, log: (message) => logged.push(message) });
  await sequences.settled();
  return sequences;
}

/** Returns the bases of all sequences, by name. */
async function basesOf(sequences: WatchedSequences): Promise<Record<string, string>> {
  const bases: Record<string, string> = {};
  for (const sequence of sequences.all()) {
    const { name, metadata } = sequence;
    bases[name] = Buffer.from(await sequence.read({ start: 0, end: metadata.length })).toString();
  }
  return bases;
}

test.each(['genome.fa', 'genome.fa.gz'])(
  'the sequences of an encrypted %s are those of the plain one',
  async (name) => {
    write(`${name}.c4gh`, readFixture(name));
    const encrypted = await open();
    expect(logged).toEqual([]);
    const plain = await sequenceCatalogue(fixturePath(name), { log: () => undefined, cache: join(folder, 'cache') });
    await plain.settled();
    const bases = await basesOf(encrypted);
    expect(Object.keys(bases).length).toBeGreaterThan(0);
    expect(bases).toEqual(await basesOf(plain));
    await Promise.all([encrypted.close(), plain.close()]);
  },
);

test.each(['genome.fa.fai.c4gh', 'genome.fa.c4gh.fai', 'genome.fa.fai'])('%s is its index', async (name) => {
  write('genome.fa.c4gh', FASTA);
  write(name, FAI.replace('b\t4', 'b\t9'));
  const sequences = await open();
  // The index contradicts the file, which shows that it is read.
  expect(logged.join()).toContain('genome.fa.c4gh');
  await sequences.close();
});

test('without a key, an encrypted file is reported, and the others are served', async () => {
  write('genome.fa.c4gh', FASTA);
  write('other.fa', '>c\nTT\n');
  const sequences = await open({});
  expect(await basesOf(sequences)).toEqual({ c: 'TT' });
  expect(logged).toHaveLength(1);
  expect(logged[0]).toMatch(/genome\.fa\.c4gh is not served: it is encrypted by Crypt4GH/);
  expect(sequences.counts).toMatchObject({ failedFiles: 1 });
  await sequences.close();
});

test.each([
  ['that cannot be read in place', 'genome.fa.gz.c4gh', gzipSync(FASTA)],
  ['that is long', 'genome.fa.c4gh', `>a\n${'ACGTTGCA'.repeat(2 ** 20)}\n`],
])('nothing is written of an encrypted file %s, neither beside it nor into the cache', async (_, name, content) => {
  write(name, content);
  const cache = join(folder, 'cache');
  await (await open({ decrypt })).close();
  await (await open({ decrypt, cache })).close();
  expect(readdirSync(folder)).toEqual([name]);
});

test('an encrypted file that would have to be imported is reported', async () => {
  write('genome.fa.gz.c4gh', gzipSync(FASTA));
  await (await open({ decrypt, cache: join(folder, 'cache') })).close();
  expect(logged.join()).toMatch(/gzip cannot be read in place; an encrypted file is not imported/);
});
