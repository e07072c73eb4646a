import { excessGrowth } from '@htskit/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ByteColumnBuilder,
  hashText,
  NumberColumnBuilder,
  textAt,
  textBytes,
  textKeys,
} from '../../src/table/columns.js';
import { buildKeyIndex, findRows, isKeyIndex, type KeyIndex } from '../../src/table/key-index.js';

function toColumn(texts: readonly string[]) {
  const [bytes, ends] = [new ByteColumnBuilder(), new NumberColumnBuilder()];
  for (const text of texts) {
    bytes.pushText(text);
    ends.push(bytes.length);
  }
  return { bytes: bytes.finish(), ends: ends.finish() };
}

function build(texts: readonly string[]): { readonly index: KeyIndex; readonly find: (text: string) => number[] } {
  const column = toColumn(texts);
  const building = buildKeyIndex(textKeys(column));
  let step = building.next();
  while (step.done !== true) step = building.next();
  const index = step.value;
  const isEqual = (text: string) => (row: number) => textAt(column, row) === text;
  return { index, find: (text) => [...findRows(index, hashText(new TextEncoder().encode(text)), isEqual(text))] };
}

test('finds the rows of every text, in order, and none of another', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 })), fc.string({ maxLength: 3 }), (texts, other) => {
      const { index, find } = build(texts);
      expect(isKeyIndex(index, texts.length)).toBe(true);
      for (const text of [...texts, other]) {
        expect(find(text)).toEqual(texts.flatMap((each, row) => (each === text ? [row] : [])));
      }
    }),
    { numRuns: 200 },
  );
});

test('takes time proportional to the number of rows even if all are equal', () => {
  const create = (count: number) => Array.from({ length: count }, () => 'same');
  // 1 is linear, 32 quadratic.
  expect(excessGrowth(create, (texts) => build(texts), { size: 1000 })).toBeLessThan(8);
});

test('keeps the texts of a column apart', () => {
  const texts = ['', 'a', 'é😀', '', 'x'.repeat(10_000), '\ufeffb'];
  const column = toColumn(texts);
  expect(texts.map((_, row) => textAt(column, row))).toEqual(texts);
  expect(textBytes(column, 2)).toEqual(new TextEncoder().encode('é😀'));
});

test('widens a column of numbers when a number has more than 32 bits', () => {
  const numbers = [...Array.from({ length: 3000 }, (_, index) => index), 2 ** 32 - 1];
  const builder = new NumberColumnBuilder();
  for (const number of numbers) builder.push(number);
  expect(builder.finish()).toBeInstanceOf(Uint32Array);
  builder.push(2 ** 40);
  expect([...builder.finish()]).toEqual([...numbers, 2 ** 40]);
});

test.each<[string, readonly number[], readonly number[]]>([
  ['no slots', [], []],
  ['a number of slots that is not a power of two', [1, 0, 0], []],
  ['no empty slot, which would never end', [1, 1], []],
  ['a row that does not exist', [3, 0, 0, 0], []],
  ['a chain of another length', [1, 0], [0]],
  ['a chain that leads back', [2, 0], [0, 1]],
  ['a chain that leads to a missing row', [1, 0], [2, 0]],
])('refuses an index with %s', (_, slots, next) => {
  expect(isKeyIndex({ slots: Uint32Array.from(slots), next: Uint32Array.from(next) }, 2)).toBe(false);
});
