import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { NameTable } from '../../src/internal.js';

const encoder = new TextEncoder();

function tableOf(names: readonly string[]): NameTable {
  const table = new NameTable();
  for (const name of names) table.add(encoder.encode(name));
  return table;
}

test('agrees with a Map of the same names', () => {
  const name = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 3 }), fc.constantFrom('chr1', 'chr2', ''));
  fc.assert(
    fc.property(fc.array(name, { maxLength: 40 }), fc.array(name), (names, others) => {
      const table = tableOf(names);
      const map = new Map(names.map((text, id) => [text, id]));
      expect(table.size).toBe(map.size);
      expect(table.nextId).toBe(names.length);
      for (const text of [...names, ...others]) {
        expect(table.get(text)).toBe(map.get(text));
        expect(table.has(text)).toBe(map.has(text));
      }
      expect(new Map(table)).toEqual(map);
      expect([...table.keys()].toSorted()).toEqual([...map.keys()].toSorted());
    }),
  );
});

test('holds 100,000 names in at most 64 bytes each', () => {
  const names = Array.from({ length: 100_000 }, (_, id) => `contig_${id}`);
  const table = tableOf(names);
  expect(names.filter((name, id) => table.get(name) !== id)).toEqual([]);
  expect(table.get('contig_100000')).toBeUndefined();
  expect(table.byteLength).toBeLessThan(64 * names.length);
});

test('adds a new name once, and names between two offsets', () => {
  const table = new NameTable();
  const data = encoder.encode('xchr1chr2chr1y');
  table.add(data, 1, 5);
  expect([table.addNew(data, 5, 9), table.addNew(data, 9, 13), table.addNew(data.subarray(13))]).toEqual([
    true,
    false,
    true,
  ]);
  expect([...table]).toEqual([
    ['chr1', 0],
    ['chr2', 1],
    ['y', 2],
  ]);
  expect([table.size, table.nextId]).toEqual([3, 3]);
});

test('keeps the last id of names that repeat while the table grows', () => {
  const names = Array.from({ length: 5000 }, (_, id) => `c${id % 700}`);
  expect(new Map(tableOf(names))).toEqual(new Map(names.map((name, id) => [name, id])));
});
