import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { NameTable } from '../src/index.js';

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
