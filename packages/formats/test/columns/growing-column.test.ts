import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appendBytes, GrowingColumn } from '../../src/columns/growing-column.js';
import { GrowingValidity } from '../../src/columns/growing-validity.js';
import { GrowingList } from '../../src/columns/list-column.js';

describe('GrowingColumn', () => {
  test('keeps what was written while it grows, and is taken in memory of its own', () => {
    const column = new GrowingColumn(Int32Array);
    const numbers = Array.from({ length: 1000 }, (_, i) => 3 * i);
    for (const number of numbers) {
      const at = column.reserve(1);
      column.values[at] = number;
    }
    const taken = column.take();
    expect(Array.from(taken)).toEqual(numbers);
    expect(taken.buffer.byteLength).toBe(4000);
    expect(column.length).toBe(0);
    expect(column.take()).toEqual(new Int32Array(0));
  });

  test('converts the values that were written before', () => {
    const column = new GrowingColumn<Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(Int32Array);
    column.values[column.reserve(1)] = 1;
    const first = column.reserve(1);
    column.values[first] = -7;
    column.convert(Float64Array);
    const second = column.reserve(1);
    column.values[second] = 2 ** 31;
    expect(column.take()).toEqual(new Float64Array([0, -7, 2 ** 31]));
  });

  test('rejects more values than offsets can state', () => {
    expect(() => new GrowingColumn(Uint8Array).reserve(2 ** 31)).toThrow(
      expect.objectContaining({ name: 'FormatError', code: 'LIMIT_EXCEEDED' }),
    );
  });

  test.each([0, 48, 49, 1000])('appends %i bytes', (count) => {
    const column = new GrowingColumn(Uint8Array);
    const bytes = Uint8Array.from({ length: count + 2 }, (_, i) => i + 1);
    appendBytes(column, bytes, 1, count + 1);
    appendBytes(column, bytes, 0, 1);
    expect(column.take()).toEqual(Uint8Array.of(...bytes.subarray(1, count + 1), 1));
  });
});

describe('GrowingValidity', () => {
  test('has the bits of Arrow, and none if all records have a value', () => {
    const validity = new GrowingValidity();
    const take = (values: readonly boolean[]): Uint8Array | undefined => {
      for (const isValid of values) validity.push(isValid);
      return validity.take();
    };
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 40 }), (values) => {
        const bits = new Uint8Array(Math.ceil(values.length / 8));
        for (const [i, isValid] of values.entries())
          bits[i >>> 3] = (bits[i >>> 3] ?? 0) | (Number(isValid) << (i % 8));
        expect(take(values)).toEqual(values.every(Boolean) ? undefined : bits);
      }),
    );
    expect(take(Array.from({ length: 5000 }, (_, i) => i !== 4000))).toHaveLength(625);
  });
});

describe('GrowingList', () => {
  test('has the offsets, values and validity of each batch', () => {
    const list = new GrowingList(Uint8Array);
    const append = (...values: number[]): void => appendBytes(list.values, Uint8Array.from(values), 0, values.length);
    append(1, 2);
    list.end();
    list.end();
    append(3);
    list.end();
    expect(list.take()).toEqual({ offsets: Int32Array.of(0, 2, 2, 3), values: Uint8Array.of(1, 2, 3) });
    list.end(false);
    append(4);
    list.end();
    expect(list.take()).toEqual({
      offsets: Int32Array.of(0, 0, 1),
      values: Uint8Array.of(4),
      validity: Uint8Array.of(0b10),
    });
    expect(list.take()).toEqual({ offsets: Int32Array.of(0), values: new Uint8Array(0) });
  });
});
