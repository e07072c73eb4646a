import { parseSequenceIdentifier } from '@htskit/digest';
import { describe, expect, test } from 'vitest';
import { createCatalogue, joinCatalogues, type SequenceCatalogue } from '../src/catalogue.js';
import { textSequence } from './text-sequence.js';

const insdc = (alias: string) => ({ alias, namingAuthority: 'INSDC' });

async function find(catalogue: SequenceCatalogue, id: string) {
  const identifier = parseSequenceIdentifier(id, { authorities: ['ga4gh'] });
  return identifier === undefined ? undefined : catalogue.find(identifier);
}

test('finds a sequence by each of its digests and by its names', async () => {
  const sequence = textSequence('ACGT', { aliases: [insdc('X.1')] });
  const catalogue = createCatalogue([textSequence('TTTT'), sequence]);
  const { md5, sha512t24u, trunc512 } = sequence.metadata;
  for (const id of [md5, sha512t24u, trunc512, `ga4gh:${sha512t24u}`, 'insdc:X.1', 'INSDC:X.1']) {
    expect([id, await find(catalogue, id)]).toEqual([id, [sequence]]);
  }
});

test('finds nothing by another digest, another name or a name in another letter case', async () => {
  const catalogue = createCatalogue([textSequence('ACGT', { aliases: [insdc('X.1')] })]);
  const { md5, sha512t24u, trunc512 } = textSequence('TTTT').metadata;
  for (const id of [md5, sha512t24u, trunc512, 'insdc:x.1', 'insdc:X.2', 'refseq:X.1', 'insdc:__proto__']) {
    expect([id, await find(catalogue, id)]).toEqual([id, []]);
  }
});

test('finds every sequence that a name stands for', async () => {
  const sequences = [textSequence('ACGT', { aliases: [insdc('X')] }), textSequence('TTTT', { aliases: [insdc('X')] })];
  expect(await find(createCatalogue(sequences), 'insdc:X')).toEqual(sequences);
});

test('sequences of equal content are one, with all names', async () => {
  const first = textSequence('ACGT', { aliases: [insdc('X'), { alias: 'chr1', namingAuthority: 'ucsc' }] });
  const second = textSequence('ACGT', { aliases: [insdc('X'), insdc('Y')], circular: true });
  const catalogue = createCatalogue([first, second]);
  const [merged, ...others] = (await find(catalogue, 'insdc:Y')) ?? [];
  expect(others).toEqual([]);
  expect(await find(catalogue, first.metadata.md5)).toEqual([merged]);
  expect(await find(catalogue, 'insdc:X')).toEqual([merged]);
  expect(merged?.metadata).toEqual({
    ...first.metadata,
    aliases: [insdc('X'), { alias: 'chr1', namingAuthority: 'ucsc' }, insdc('Y')],
    circular: true,
  });
  expect(await new Response(merged?.stream({ start: 1, end: 3 })).text()).toBe('CG');
  expect(await merged?.read({ start: 1, end: 3 })).toEqual(new TextEncoder().encode('CG'));
});

test('names the naming authorities once each', () => {
  const sequences = [
    textSequence('ACGT', { aliases: [insdc('X'), insdc('Y')] }),
    textSequence('TTTT', { aliases: [{ alias: 'chr1', namingAuthority: 'ucsc' }] }),
  ];
  expect(createCatalogue(sequences).namingAuthorities).toEqual(['INSDC', 'ucsc']);
  expect(createCatalogue([]).namingAuthorities).toEqual([]);
});

describe('catalogues that are joined', () => {
  const named = (namingAuthority: string, bases = 'ACGT') =>
    textSequence(bases, { aliases: [{ alias: 'a', namingAuthority }] });
  const joined = joinCatalogues([
    createCatalogue([named('one')]),
    createCatalogue([named('two'), named('one', 'GATTACA')]),
    { find: () => [] },
  ]);

  test('know a sequence of both once, with its aliases of both', async () => {
    const { md5, sha512t24u } = named('one').metadata;
    const [sequence, ...others] = await joined.find({ kind: 'md5', digest: md5 });
    expect([sequence?.metadata.sha512t24u, others]).toEqual([sha512t24u, []]);
    expect(sequence?.metadata.aliases.map(({ namingAuthority }) => namingAuthority)).toEqual(['one', 'two']);
    expect(joined.namingAuthorities).toEqual(['one', 'two']);
  });

  test('know different sequences of one name, and none of an unknown one', async () => {
    expect(await joined.find({ kind: 'curie', namespace: 'one', name: 'a' })).toHaveLength(2);
    expect(await joined.find({ kind: 'curie', namespace: 'three', name: 'a' })).toEqual([]);
  });
});
