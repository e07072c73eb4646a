import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BinTable } from '../../src/writers/bin-chunks.js';

function order(bins: readonly number[]): number[] {
  const table = new BinTable();
  for (const bin of bins) table.add(bin);
  const visited: number[] = [];
  table.visit((bin) => visited.push(bin));
  return visited;
}

describe('BinTable', () => {
  test('orders bins by their number modulo the capacity, which begins with 4', () => {
    expect(order([4683, 4681, 4684])).toEqual([4684, 4681, 4683]);
  });

  test('a bin whose slot is occupied moves 1, 3, 6 … slots further', () => {
    expect(order([8, 0, 16, 1, 24, 2])).toEqual([8, 0, 1, 16, 2, 24]);
  });

  test('a full table doubles and reinserts the bins in the order of their old slots', () => {
    expect(order([5, 9, 1])).toEqual([1, 5, 9]);
    expect(order([5, 9, 1, 2])).toEqual([1, 9, 2, 5]);
  });

  test('a full table doubles even if it already has the bin', () => {
    expect(order([7, 5, 4])).toEqual([4, 5, 7]);
    expect(order([15, 13, 12, 15])).toEqual([12, 13, 15]);
    expect(order([11, 5, 4, 4])).toEqual([11, 4, 5]);
  });

  test('ordinals are the order in which bins were first added', () => {
    const table = new BinTable();
    expect([table.add(7), table.add(3), table.add(7), table.add(0)]).toEqual([0, 1, 0, 2]);
    expect([table.ordinalOf(0), table.ordinalOf(3), table.ordinalOf(4)]).toEqual([2, 1, -1]);
    expect(new BinTable().ordinalOf(0)).toBe(-1);
    expect(table.size).toBe(3);
  });

  test('contains each bin once, with its ordinal', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2 ** 31 - 2), { maxLength: 300 }), (bins) => {
        const table = new BinTable();
        const distinct = [...new Set(bins)];
        for (const bin of bins) expect(table.add(bin)).toBe(distinct.indexOf(bin));
        const visited: number[] = [];
        table.visit((bin, ordinal) => {
          visited.push(bin);
          expect(distinct[ordinal]).toBe(bin);
        });
        expect(new Set(visited)).toEqual(new Set(distinct));
        expect(visited).toHaveLength(distinct.length);
      }),
    );
  });
});
