import { SequenceDigester } from '@htskit/digest';
import type { Sequence } from '@htskit/sequences';
import { expect, test } from 'vitest';
import { SequenceIndex } from '../src/sequence-index.js';

function sequence(bases: string, ...names: string[]): Sequence {
  const digests = new SequenceDigester().update(Buffer.from(bases)).digest();
  const aliases = names.map((alias) => ({ alias, namingAuthority: 'Here' }));
  const unread = (): never => {
    throw new Error('no bases are read');
  };
  return { metadata: { ...digests, aliases, circular: false }, read: unread, stream: unread };
}

const curie = (name: string) => ({ kind: 'curie', namespace: 'here', name }) as const;

test('sequences are found by each digest and alias until they are removed', async () => {
  const index = new SequenceIndex();
  const one = sequence('ACGT', 'a', 'b');
  const { md5, sha512t24u, trunc512 } = one.metadata;
  const identifiers = [
    { kind: 'md5', digest: md5 } as const,
    { kind: 'sha512t24u', digest: sha512t24u } as const,
    { kind: 'trunc512', digest: trunc512 } as const,
    curie('a'),
    curie('b'),
  ];
  index.add([one, sequence('TTTT', 'c')]);
  for (const identifier of identifiers) expect(await index.find(identifier)).toEqual([one]);
  index.remove([one]);
  for (const identifier of identifiers) expect(await index.find(identifier)).toEqual([]);
  expect(await index.find(curie('c'))).toHaveLength(1);
});

test('equal sequences are one with the aliases of all, for as long as they are there', async () => {
  const index = new SequenceIndex();
  const [one, other] = [sequence('ACGT', 'a'), sequence('ACGT', 'b')];
  index.add([one]);
  index.add([other]);
  const namesBy = async (name: string): Promise<(string[] | undefined)[]> =>
    (await index.find(curie(name))).map(({ metadata }) => metadata.aliases.map(({ alias }) => alias));
  expect([await namesBy('a'), await namesBy('b')]).toEqual([[['a', 'b']], [['a', 'b']]]);
  index.remove([one]);
  expect([await namesBy('a'), await namesBy('b')]).toEqual([[], [['b']]]);
});

test('a name of several sequences finds each of them', async () => {
  const index = new SequenceIndex();
  const [one, other] = [sequence('ACGT', 'a'), sequence('TTTT', 'a')];
  index.add([one, other]);
  expect(await index.find(curie('a'))).toEqual([one, other]);
});

test('naming authorities are those of the aliases that are there', () => {
  const index = new SequenceIndex();
  const [one, other] = [sequence('ACGT', 'a', 'b'), sequence('TTTT', 'a')];
  index.add([one, other]);
  index.remove([one]);
  expect(index.namingAuthorities).toEqual(['Here']);
  index.remove([other]);
  expect(index.namingAuthorities).toEqual([]);
});

test('a file takes time in proportion to its own sequences', async () => {
  const index = new SequenceIndex();
  index.add(
    Array.from({ length: 50_000 }, (_, at) =>
      sequence(`ACGT${at.toString(2).replaceAll('0', 'A').replaceAll('1', 'C')}`),
    ),
  );
  const added = sequence('GATTACA', 'a');
  const started = performance.now();
  for (let count = 0; count < 1000; count++) {
    index.add([added]);
    index.remove([added]);
  }
  // All over again, it would be minutes.
  expect(performance.now() - started).toBeLessThan(2000);
  expect(await index.find(curie('a'))).toEqual([]);
});
