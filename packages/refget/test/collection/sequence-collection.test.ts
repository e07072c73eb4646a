import { sha512t24u } from '@htskit/digest';
import { type CollectionMember, openFasta, type SequenceCollection, sequenceCollection } from '@htskit/sequences';
import { ARRAY_ATTRIBUTES, canonicalAttribute } from '@htskit/sequences/internal';
import { memorySource } from '@htskit/storage/memory';
import { expect, test } from 'vitest';
import { BASES, COMPLIANCE, SPECIFIED } from './published.js';

const utf8 = (text: string) => new TextEncoder().encode(text);

function level1({ attributes }: SequenceCollection): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).map(([name, { digest }]) => [name, digest]));
}

test.each([...SPECIFIED, ...Object.values(COMPLIANCE)])('$name has its published digests', async (published) => {
  const collection = await sequenceCollection(published.members);
  expect(collection.digest).toBe(published.digest);
  expect(level1(collection)).toMatchObject(published.level1);
});

test.each(Object.values(COMPLIANCE))(
  'the FASTA $name has its published digests',
  async ({ members, digest, level1: digests }) => {
    const fasta = members
      .map(({ name, metadata }) => `>${name} described\n${BASES.get(metadata.sha512t24u)}\n`)
      .join('');
    const collection = await sequenceCollection(await openFasta({ data: memorySource(utf8(fasta)) }));
    expect(collection.digest).toBe(digest);
    expect(level1(collection)).toEqual(digests);
  },
);

const ODD_NAMES = [
  '染色体1',
  '\u2028\u007f',
  'tab\tquote"back\\slash/',
  '\u0000\u001f\b\f\n\r',
  '😀',
  'HLA-A*01:01',
  '1e3',
  'é',
];
const ODD_LENGTHS = [0, 1, 10, Number.MAX_SAFE_INTEGER, 2 ** 32, 5, 1e15, 100];

// The digests were computed with json.dumps(…, ensure_ascii=False, sort_keys=True) and hashlib of Python 3.11.
test('digests unusual names and lengths like another implementation', async () => {
  const members = ODD_NAMES.map((name, index) => ({
    name,
    metadata: { length: ODD_LENGTHS[index] ?? 0, sha512t24u: `SQ.${sha512t24u(utf8(name))}` },
  }));
  const collection = await sequenceCollection(members);
  expect(collection.digest).toBe('tZ1wgJMpZ-UBgMx7o2xAIRHvurW2EIWA');
  expect(level1(collection)).toEqual({
    lengths: 'MyyXrctiUqjN9CTTjE8mQXo9XDCStPcg',
    name_length_pairs: 'HoVyw2mLgISk7FMC5rhsIy6ILazrdXNS',
    names: 'Jpg_HQkhP52EVd6hXqO54Ry_l0E6b3aZ',
    sequences: 'zW-UeM7GOqluu5h3pUAkrHoa1Mzn1Y1g',
    sorted_name_length_pairs: 'avd8OGLClnuV1NM6b6U4XvtHyO3y79E0',
    sorted_sequences: 'wS6BKdFQqnnT2m-OqL57rIUfNNahF5-O',
  });
});

function many(count: number): CollectionMember[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `transcript ${index % (count - 1)}`;
    return { name, metadata: { length: index, sha512t24u: `SQ.${sha512t24u(utf8(name))}` } };
  });
}

test('sorts many sequences and digests them like their whole text', async () => {
  const members = many(20_000);
  const { arrays, attributes } = await sequenceCollection(members);
  expect(arrays.names).toEqual(members.map(({ name }) => name));
  expect(arrays.lengths).toEqual(members.map(({ metadata }) => metadata.length));
  const sequences = members.map(({ metadata }) => metadata.sha512t24u);
  expect(arrays.sequences).toEqual(sequences);
  expect(sequences.map((_, index) => arrays.sortedSequences.at(index))).toEqual(sequences.sort());
  for (const attribute of ARRAY_ATTRIBUTES) {
    const bytes = utf8([...canonicalAttribute(arrays, attribute)].join(''));
    expect([attribute, attributes[attribute]]).toEqual([
      attribute,
      { digest: sha512t24u(bytes), byteLength: bytes.length },
    ]);
  }
});

test('yields to the event loop, and ends when the signal is aborted', async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error('enough')), 0);
  await expect(sequenceCollection(many(50_000), { signal: controller.signal })).rejects.toThrow('enough');
});

const named = (name: string, length = 1): CollectionMember => ({ name, metadata: { length, sha512t24u: 'SQ.' } });

test.each([
  ['no sequence', [], /at least one sequence/],
  ['half of a surrogate pair in a name', [named('a'), named('\ud83d')], /the name of sequence 2 is not well-formed/],
  ['a fractional length', [named('a', 1.5)], /the length of sequence 1 must be a whole number, found 1.5/],
  ['a negative length', [named('a', -1)], /whole number/],
  ['a length that is not a number', [named('a', Number.NaN)], /whole number/],
])('rejects %s', async (_, members, message) => {
  await expect(sequenceCollection(members)).rejects.toThrow(message);
  await expect(sequenceCollection(members)).rejects.toBeInstanceOf(RangeError);
});
