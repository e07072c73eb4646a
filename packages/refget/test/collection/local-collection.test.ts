import { loopTurns } from '@htskit/io/internal';
import { mutations, volume } from '@htskit/testing';
import { describe, expect, test, vi } from 'vitest';
import { parseLocalCollection } from '../../src/collection/local-collection.js';
import { COMPLIANCE } from './published.js';

const { members, digest } = COMPLIANCE.base;
const names = members.map(({ name }) => name);
const lengths = members.map(({ metadata }) => metadata.length);
const sequences = members.map(({ metadata }) => metadata.sha512t24u);
const pairs = names.map((name, index) => ({ name, length: lengths[index] ?? 0 }));

const parse = (value: unknown) => parseLocalCollection(JSON.stringify(value));
const isBadRequest = (message: RegExp) =>
  expect.objectContaining({
    name: 'RefgetError',
    status: 400,
    message: expect.stringMatching(message) as string,
  }) as unknown;

test('parses digest and attributes of a collection at level 2', async () => {
  const collection = await parse({ names, lengths, sequences, name_length_pairs: pairs, sorted_sequences: sequences });
  expect(collection.digest).toBe(digest);
  const found = [...collection.attributes].map(([name, array]) => [name, array?.length]);
  expect(Object.fromEntries(found)).toEqual({
    names: 3,
    lengths: 3,
    sequences: 3,
    name_length_pairs: 3,
    sorted_sequences: 3,
    sorted_name_length_pairs: undefined,
  });
  expect(collection.attributes.get('name_length_pairs')?.at(0)).toBe('8 chrX');
});

test.each([
  ['names and lengths alone', { names, lengths }, ['lengths', 'names', 'sorted_name_length_pairs']],
  ['lengths alone', { lengths }, ['lengths']],
  ['pairs alone', { name_length_pairs: pairs }, ['name_length_pairs']],
  ['empty arrays', { names: [], sequences: [] }, ['names', 'sequences']],
])('%s have no digest', async (_, value, attributes) => {
  const collection = await parse(value);
  expect(collection.digest).toBeNull();
  expect([...collection.attributes.keys()].sort()).toEqual(attributes);
});

test('counts unknown attributes that are arrays and lists the others', async () => {
  const { attributes } = await parse({
    names,
    topologies: ['linear', [], {}, null],
    author: 'me',
    sorted_name_length_pairs: [1],
  });
  expect(attributes.get('topologies')?.length).toBe(4);
  expect(attributes.has('author')).toBe(true);
  expect(attributes.get('author')).toBeUndefined();
  expect(attributes.has('sorted_name_length_pairs')).toBe(true);
  expect(attributes.get('sorted_name_length_pairs')).toBeUndefined();
});

test('accepts a member named __proto__', async () => {
  const { attributes } = await parseLocalCollection('{"names":["a"],"__proto__":["x"]}');
  expect([...attributes.keys()]).toEqual(['names', '__proto__']);
});

test.each(['', ' ', '{', '{"names":["a"]', '{names:[]}', `${'['.repeat(50_000)}${']'.repeat(50_000)}`])(
  'rejects a body that is not a JSON object: %.20s',
  async (text) => {
    await expect(parseLocalCollection(text)).rejects.toEqual(isBadRequest(/JSON/));
  },
);

test('rejects deep nesting in an unknown attribute and accepts shallow nesting', async () => {
  const nested = (depth: number): string => `{"names":["[["],"other":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  expect([...(await parseLocalCollection(nested(63))).attributes.keys()]).toEqual(['names', 'other']);
  await expect(parseLocalCollection(nested(64))).rejects.toEqual(isBadRequest(/nested deeper than 64/));
});

test.each([null, 1, 'names', [names], true])('rejects %j in place of a collection', async (value) => {
  await expect(parse(value)).rejects.toEqual(isBadRequest(/the body must be a JSON object/));
});

describe('refuses', () => {
  test.each<[string, unknown, RegExp]>([
    ['nothing to compare', {}, /at least one of lengths/],
    ['no array with an element for each sequence', { sorted_sequences: sequences }, /at least one of/],
    ['level 1', COMPLIANCE.base.level1, /lengths must be an array/],
    ['arrays of different lengths', { names, lengths: [1] }, /equally many/],
    ['a name that is a number', { names: ['a', 1] }, /element 2 of names must be a string/],
    ['half of a surrogate pair', { names: ['\ud83d'] }, /element 1 of names must be a string of well-formed Unicode/],
    ['a fractional length', { lengths: [1.5] }, /element 1 of lengths must be a whole number/],
    ['a negative length', { lengths: [-1] }, /whole number/],
    ['a length that cannot be exact', { lengths: [2 ** 53] }, /whole number/],
    ['a length as text', { lengths: ['8'] }, /whole number/],
    ['a missing element', { lengths: [null] }, /whole number/],
    ['a sequence that is not a string', { sequences: [[]] }, /element 1 of sequences/],
    [
      'a sorted sequence that is not a string',
      { names: ['a'], sorted_sequences: [1] },
      /element 1 of sorted_sequences/,
    ],
    ['a pair that is an array', { name_length_pairs: [['a', 1]] }, /element 1 of name_length_pairs/],
    ['a pair without length', { name_length_pairs: [{ name: 'a' }] }, /element 1 of name_length_pairs/],
    ['null as an array', { names: null }, /names must be an array/],
  ])('%s', async (_, value, message) => {
    await expect(parse(value)).rejects.toEqual(isBadRequest(message));
  });
});

test('parses or rejects damaged collections', async () => {
  const text = JSON.stringify({ names, lengths, sequences, name_length_pairs: pairs });
  const outcomes = { read: 0, rejected: 0 };
  for (const { bytes } of mutations(new TextEncoder().encode(text), { seed: 7, count: volume(3000) })) {
    const outcome = await parseLocalCollection(new TextDecoder().decode(bytes)).then(
      () => 'read' as const,
      (error: unknown) => {
        expect(error).toEqual(isBadRequest(/./));
        return 'rejected' as const;
      },
    );
    outcomes[outcome] += 1;
  }
  expect(outcomes.read).toBeGreaterThan(volume(300));
  expect(outcomes.rejected).toBeGreaterThan(volume(300));
});

test('refuses more than 1,000 attributes', async () => {
  const others = Array.from({ length: 1000 }, (_, index) => [`other${index}`, 0]);
  await expect(parse({ names, ...Object.fromEntries(others) })).rejects.toEqual(isBadRequest(/1000 attributes/));
  expect((await parse({ names, ...Object.fromEntries(others.slice(1)) })).attributes.size).toBe(1000);
});

test('lets other work run while a long collection is parsed, checked and digested', async () => {
  const many = Array.from({ length: 40_000 }, (_, index) => `chrUn_${String(index)}`);
  const text = JSON.stringify({ names: many, sequences: many, lengths: many.map((_, index) => index) });
  const parsed: number[] = [];
  const parseJson = JSON.parse.bind(JSON);
  vi.spyOn(JSON, 'parse').mockImplementation((piece: string) => {
    parsed.push(piece.length);
    return parseJson(piece) as unknown;
  });
  // Each look at the clock is a millisecond later, so that a slice of 10 ms is as many steps.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now++);
  const turns = vi.spyOn(loopTurns, 'next').mockResolvedValue();
  await parseLocalCollection(text);
  expect(Math.max(...parsed)).toBeLessThan(40_000);
  expect(turns.mock.calls.length).toBeGreaterThan(parsed.length / 10);
});
