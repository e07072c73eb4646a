import { parseSequenceIdentifier } from '@htskit/digest';
import type { Sequence, SequenceCatalogue } from '@htskit/sequences';
import { excessGrowth } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { createCatalogue, joinCatalogues } from '../../src/catalogue/catalogue.js';
import { textSequence } from '../text-sequence.js';

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

test('finds every sequence that has a name', async () => {
  const sequences = [textSequence('ACGT', { aliases: [insdc('X')] }), textSequence('TTTT', { aliases: [insdc('X')] })];
  expect(await find(createCatalogue(sequences), 'insdc:X')).toEqual(sequences);
});

test('merges sequences of equal content and their names', async () => {
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

test('lists each naming authority once', () => {
  const sequences = [
    textSequence('ACGT', { aliases: [insdc('X'), insdc('Y')] }),
    textSequence('TTTT', { aliases: [{ alias: 'chr1', namingAuthority: 'ucsc' }] }),
  ];
  expect(createCatalogue(sequences).namingAuthorities).toEqual(['INSDC', 'ucsc']);
  expect(createCatalogue([]).namingAuthorities).toEqual([]);
});

test('ignores the letter case of naming authorities', async () => {
  const upper = textSequence('ACGT', { aliases: [insdc('X')] });
  const lower = textSequence('ACGT', { aliases: [{ alias: 'X', namingAuthority: 'insdc' }] });
  const catalogue = createCatalogue([upper, lower]);
  expect(catalogue.namingAuthorities).toEqual(['INSDC']);
  expect((await find(catalogue, 'insdc:X'))?.[0]?.metadata.aliases).toEqual([insdc('X')]);
  expect(joinCatalogues([createCatalogue([lower]), createCatalogue([upper])]).namingAuthorities).toEqual(['insdc']);
});

test('merges 20,000 sequences of equal content, or of one name', async () => {
  const first = textSequence('ACGT');
  const equal = Array.from({ length: 20_000 }, (_, index) => ({
    ...first,
    metadata: { ...first.metadata, aliases: [insdc(`X${index}`)] },
  }));
  const [merged, ...others] = (await find(createCatalogue(equal), 'insdc:X19999')) ?? [];
  expect(others).toEqual([]);
  expect(merged?.metadata.aliases).toHaveLength(20_000);
  expect(await merged?.read({ start: 1, end: 3 })).toEqual(new TextEncoder().encode('CG'));
  const namesakes = Array.from({ length: 20_000 }, (_, index) => ({
    ...first,
    metadata: { ...first.metadata, sha512t24u: `SQ.${index}`, aliases: [insdc('X')] },
  }));
  expect(await find(createCatalogue(namesakes), 'insdc:X')).toHaveLength(20_000);
});

test('takes time in proportion to the number of sequences of equal content', () => {
  const first = textSequence('ACGT');
  const prepare = (size: number) =>
    Array.from({ length: size }, (_, index) => ({
      ...first,
      metadata: { ...first.metadata, aliases: [insdc(`X${index}`)] },
    }));
  expect(excessGrowth(prepare, createCatalogue, { size: 1_250 })).toBeLessThan(8);
});

describe('sequences of equal content', () => {
  const failure = new Error('the first one fails');
  const broken = () => textSequence('ACGTACGTAC', { failsAfter: 4, failure });
  const merge = async (...sequences: Sequence[]): Promise<Sequence> => {
    const [merged] = (await createCatalogue(sequences).find({ kind: 'md5', digest: broken().metadata.md5 })) ?? [];
    if (merged === undefined) throw new Error('not found');
    return merged;
  };
  const all = { start: 0, end: 10 };

  test('are read from the first one that can be read', async () => {
    const merged = await merge(broken(), broken(), textSequence('ACGTACGTAC'));
    expect(new TextDecoder().decode(await merged.read(all))).toBe('ACGTACGTAC');
  });

  test('are streamed from the next one if one breaks off', async () => {
    const last = textSequence('ACGTACGTAC');
    const merged = await merge(broken(), last);
    expect(await new Response(merged.stream(all)).text()).toBe('ACGTACGTAC');
    expect(last.reads).toEqual([{ start: 4, end: 10 }]);
  });

  test('fail with the error of the first one if none can be read', async () => {
    const merged = await merge(broken(), textSequence('ACGTACGTAC', { failsAfter: 0, failure: new Error('other') }));
    await expect(merged.read(all)).rejects.toBe(failure);
    await expect(new Response(merged.stream(all)).text()).rejects.toBe(failure);
  });

  test('are not tried further after the signal is aborted', async () => {
    const last = textSequence('ACGTACGTAC');
    const merged = await merge(broken(), last);
    const options = { signal: AbortSignal.abort() };
    await expect(merged.read(all, options)).rejects.toBe(failure);
    await expect(new Response(merged.stream(all, options)).text()).rejects.toBe(failure);
    expect(last.reads).toEqual([]);
  });

  test('reject a range beyond their end at once', async () => {
    const merged = await merge(broken(), broken());
    expect(() => merged.stream({ start: 0, end: 11 })).toThrow(RangeError);
    expect(() => merged.read({ start: 0, end: 11 })).toThrow(RangeError);
  });
});

describe('catalogues that are joined', () => {
  const named = (namingAuthority: string, bases = 'ACGT') =>
    textSequence(bases, { aliases: [{ alias: 'a', namingAuthority }] });
  const joined = joinCatalogues([
    createCatalogue([named('one')]),
    createCatalogue([named('two'), named('one', 'GATTACA')]),
    { find: () => [] },
  ]);

  test('find a sequence of both once, with the aliases of both', async () => {
    const { md5, sha512t24u } = named('one').metadata;
    const [sequence, ...others] = await joined.find({ kind: 'md5', digest: md5 });
    expect([sequence?.metadata.sha512t24u, others]).toEqual([sha512t24u, []]);
    expect(sequence?.metadata.aliases.map(({ namingAuthority }) => namingAuthority)).toEqual(['one', 'two']);
    expect(joined.namingAuthorities).toEqual(['one', 'two']);
  });

  test('find different sequences of one name, and none of an unknown name', async () => {
    expect(await joined.find({ kind: 'curie', namespace: 'one', name: 'a' })).toHaveLength(2);
    expect(await joined.find({ kind: 'curie', namespace: 'three', name: 'a' })).toEqual([]);
  });

  test('return the same metadata for every identifier', async () => {
    const [a, b] = [named('one'), textSequence('ACGT', { aliases: [insdc('b')], circular: true })];
    const both = joinCatalogues([createCatalogue([a]), createCatalogue([b])]);
    const { md5, sha512t24u, trunc512 } = a.metadata;
    for (const id of ['one:a', 'insdc:b', md5, sha512t24u, trunc512]) {
      const [sequence, ...others] = (await find(both, id)) ?? [];
      expect([id, others]).toEqual([id, []]);
      expect(sequence?.metadata).toEqual({
        ...a.metadata,
        aliases: [...a.metadata.aliases, insdc('b')],
        circular: true,
      });
    }
  });

  test('include a catalogue that finds the sequence by its digest alone', async () => {
    const [a, b] = [named('one'), named('two')];
    const byDigest: SequenceCatalogue = { find: ({ kind }) => (kind === 'sha512t24u' ? [b] : []) };
    const [sequence] = await joinCatalogues([createCatalogue([a]), byDigest]).find({
      kind: 'md5',
      digest: a.metadata.md5,
    });
    expect(sequence?.metadata.aliases.map(({ namingAuthority }) => namingAuthority)).toEqual(['one', 'two']);
  });

  test('skip a catalogue that fails if another one finds the sequence', async () => {
    const failure = new Error('out of order');
    const broken: SequenceCatalogue = { find: () => Promise.reject(failure) };
    const both = joinCatalogues([broken, createCatalogue([named('one')])]);
    expect(await find(both, 'one:a')).toHaveLength(1);
    await expect(find(both, 'one:b')).rejects.toBe(failure);
  });
});
