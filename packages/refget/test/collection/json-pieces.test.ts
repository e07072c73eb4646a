import { mutations, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitJsonArray, splitJsonObject } from '../../src/collection/json-pieces.js';

/** Parses an object in pieces. */
function parseObject(text: string): unknown {
  const members = new Map<string, unknown>();
  for (const { name, isStart, ...piece } of splitJsonObject(text, 'an object')) {
    if (!('elements' in piece)) members.set(name, piece.value);
    else members.set(name, isStart ? piece.elements : [...(members.get(name) as unknown[]), ...(piece.elements ?? [])]);
  }
  return Object.fromEntries(members);
}

/** Parses an array in pieces. */
function parseArray(text: string): unknown {
  return [...splitJsonArray(text, 'an array')].flat(1);
}

/** Returns the value, or undefined if the text is refused. */
function attempt(parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

const long = Array.from({ length: 40_000 }, (_, index) => (index % 3 === 0 ? { index, text: '],"\\[' } : [index]));

describe('a JSON text in pieces is parsed as a whole one', () => {
  test.each<unknown>([{}, { a: [] }, { a: [[]], b: {}, c: null, d: [1, 'x'] }, { a: long, b: long }])(
    'object %#',
    (value) => {
      for (const indent of [0, 2]) expect(parseObject(JSON.stringify(value, undefined, indent))).toEqual(value);
    },
  );

  test.each<[unknown]>([[[]], [[[]]], [[[[]], {}, 'x', 1]], [long]])('array %#', (value) => {
    for (const indent of [0, 2]) expect(parseArray(JSON.stringify(value, undefined, indent))).toEqual(value);
  });

  test('whatever it holds', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        expect(parseObject(text)).toEqual(JSON.parse(text));
        const values = JSON.stringify(Object.values(value));
        expect(parseArray(values)).toEqual(JSON.parse(values));
      }),
      { numRuns: volume(2000) },
    );
  });

  test('in many pieces of at least 32 kB and few more', () => {
    const pieces = [...splitJsonArray(JSON.stringify(long), 'an array')].map(
      (elements) => JSON.stringify(elements).length,
    );
    expect(pieces.length).toBeGreaterThan(10);
    expect(Math.max(...pieces)).toBeLessThan(33_000);
    expect(Math.min(...pieces.slice(0, -1))).toBeGreaterThan(32_000);
  });

  test('with the last of equal names', () => {
    expect(parseObject('{"a":[1],"a":[2],"b":1,"b":[3],"c":[4],"c":5}')).toEqual({ a: [2], b: [3], c: 5 });
  });
});

test.each([
  ...[
    '',
    ' ',
    '{',
    '}',
    '{]',
    '[}',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,"a":1}',
    '{"a":1 "b":2}',
    '{1:2}',
    '{a:1}',
    '{"a":1}}',
  ],
  ...['{"a":[}', '{"a":[1}', '{"a":[1:2]}', '{"a":[1]2}', '{"a":0[1]}', '{"a":[1],,"b":1}', '{"a":"x}', '{"a":[1,,2]}'],
  ...['[1,]', '[,1]', '[1,,2]', '[1', '[1}', '[1]]', '[1]x', 'x[1]', '[[]', '["\\"]', '[{]}]', '{"a":{]}}'],
])('refuses %j as JSON.parse does', (text) => {
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  expect([attempt(parseObject, text), attempt(parseArray, text)]).toEqual([undefined, undefined]);
});

test('refuses an empty piece between two commas or at the end of a long array', () => {
  const half = JSON.stringify(long.slice(0, 3000)).slice(1, -1);
  for (const text of [`[${half},,${half}]`, `[${half},]`, `[${half}, ,${half}]`]) {
    expect(attempt(parseArray, text)).toBeUndefined();
    expect(attempt(parseObject, `{"a":${text}}`)).toBeUndefined();
  }
});

test('accepts and refuses damaged texts as JSON.parse does', () => {
  const value = { a: [1, [2, { b: '"\\' }], 'c,]'], d: { e: [] }, f: [], g: [{}, {}] };
  const seen = { read: 0, refused: 0 };
  for (const { bytes } of mutations(new TextEncoder().encode(JSON.stringify(value)), {
    seed: 5,
    count: volume(5000),
  })) {
    const text = new TextDecoder().decode(bytes);
    const whole = attempt((json) => JSON.parse(json) as unknown, text);
    const expected = typeof whole === 'object' && whole !== null && !Array.isArray(whole) ? whole : undefined;
    expect(attempt(parseObject, text)).toEqual(expected);
    seen[expected === undefined ? 'refused' : 'read']++;
  }
  expect(Math.min(seen.read, seen.refused)).toBeGreaterThan(volume(200));
});

describe('refuses', () => {
  test.each([
    ['a name', `{"${'x'.repeat(65_536)}":1}`],
    ['an element', `{"a":["${'x'.repeat(65_536)}"]}`],
    ['a value', `{"a":"${'x'.repeat(65_536)}"}`],
    ['an object', `{"a":{"b":[${'1,'.repeat(40_000)}1]}}`],
    ['white space', `{"a":[1,${' '.repeat(70_000)}1]}`],
  ])('%s of more than 65,536 characters', (_, text) => {
    expect(() => parseObject(text)).toThrow(/more than 65536 characters/);
  });

  test.each(['[', '{"a":', '[[],'])('10 million characters of %s', (text) => {
    const nested = text.repeat(1e7 / text.length);
    expect(() => parseObject(`{"a":${nested}`)).toThrow(/nested deeper than 64/);
  });
});
