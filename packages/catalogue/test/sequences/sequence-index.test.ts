import { SequenceDigester } from '@htskit/digest';
import type { Sequence } from '@htskit/sequences';
import { excessGrowth } from '@htskit/testing';
import { expect, test } from 'vitest';
import { SequenceIndex } from '../../src/sequences/sequence-index.js';

function sequence(bases: string, ...names: string[]): Sequence {
  const digests = new SequenceDigester().update(Buffer.from(bases)).digest();
  const aliases = names.map((alias) => ({ alias, namingAuthority: 'Here' }));
  const unread = (): never => {
    throw new Error('no bases are read');
  };
  return { metadata: { ...digests, aliases, circular: false }, read: unread, stream: unread };
}

const curie = (name: string) => ({ kind: 'curie', namespace: 'here', name }) as const;

test('finds sequences by each digest and alias until they are removed', async () => {
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

test('merges equal sequences and their aliases while they are present', async () => {
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

test('finds every sequence of a name that several have', async () => {
  const index = new SequenceIndex();
  const [one, other] = [sequence('ACGT', 'a'), sequence('TTTT', 'a')];
  index.add([one, other]);
  expect(await index.find(curie('a'))).toEqual([one, other]);
});

test('lists the naming authorities of the current aliases', () => {
  const index = new SequenceIndex();
  const [one, other] = [sequence('ACGT', 'a', 'b'), sequence('TTTT', 'a')];
  index.add([one, other]);
  index.remove([one]);
  expect(index.namingAuthorities).toEqual(['Here']);
  index.remove([other]);
  expect(index.namingAuthorities).toEqual([]);
});

test('adds and removes a file in time independent of the other sequences', async () => {
  const added = sequence('GATTACA', 'a');
  const addOthers = (count: number): SequenceIndex => {
    const index = new SequenceIndex();
    index.add(
      Array.from({ length: count }, (_, i) =>
        sequence(`ACGT${i.toString(2).replaceAll('0', 'A').replaceAll('1', 'C')}`),
      ),
    );
    return index;
  };
  const addAndRemove = (index: SequenceIndex): void => {
    for (let i = 0; i < 500; i++) {
      index.add([added]);
      index.remove([added]);
    }
  };
  // 1 would be linear in the number of other sequences, 1/8 is independent of it.
  expect(excessGrowth(addOthers, addAndRemove, { size: 2000, factor: 8 })).toBeLessThan(0.5);
  const index = addOthers(10);
  addAndRemove(index);
  expect(await index.find(curie('a'))).toEqual([]);
});
