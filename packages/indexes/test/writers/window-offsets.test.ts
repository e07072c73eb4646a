import type { VirtualOffset } from '@htskit/bgzf';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteWriter } from '../../src/writers/byte-writer.js';
import { WindowOffsets } from '../../src/writers/window-offsets.js';

/** Computes the window offsets record by record. A window without a record has the offset of the next. */
function dense(records: readonly { first: number; end: number }[]): (number | undefined)[] {
  const windows: (number | undefined)[] = [];
  for (const [coffset, { first, end }] of records.entries()) {
    for (let window = first; window < end; window++) windows[window] ??= coffset;
  }
  let next: number | undefined;
  return Array.from(windows)
    .reverse()
    .map((offset) => (next = offset ?? next))
    .reverse();
}

function written(windows: WindowOffsets): number[] {
  const writer = new ByteWriter(2 ** 20);
  windows.write(writer);
  const view = new DataView(writer.bytes.buffer, 0, writer.byteLength);
  const offsets = Array.from({ length: view.getInt32(0, true) }, (_, i) => view.getUint32(4 + 8 * i, true) >>> 16);
  expect(writer.byteLength).toBe(4 + 8 * offsets.length);
  return offsets;
}

const at = (coffset: number): VirtualOffset => ({ coffset, uoffset: 0 });

describe('WindowOffsets', () => {
  test('contain the first record that overlaps each window, whatever records span', () => {
    const record = fc.record({ first: fc.nat(50), length: fc.integer({ min: 1, max: 20 }) });
    fc.assert(
      fc.property(fc.array(record, { maxLength: 40 }), (records) => {
        const sorted = records
          .toSorted((a, b) => a.first - b.first)
          .map(({ first, length }) => ({ first, end: first + length }));
        const windows = new WindowOffsets();
        for (const [coffset, { first, end }] of sorted.entries()) windows.add(first, end, at(coffset));
        const expected = dense(sorted);
        expect(windows.count).toBe(expected.length);
        expect(expected.map((_, window) => windows.at(window)?.coffset)).toEqual(expected);
        expect(windows.at(expected.length)).toBeUndefined();
        expect(written(windows)).toEqual(expected);
      }),
    );
  });

  test('a record without a base at the end leaves windows of 0', () => {
    const windows = new WindowOffsets();
    windows.add(0, 1, at(7));
    windows.add(3, 3, at(8));
    expect(windows.count).toBe(3);
    expect(written(windows)).toEqual([7, 0, 0]);
  });

  test('take memory in proportion to records, not to what they span', () => {
    const windows = new WindowOffsets();
    windows.add(0, 2 ** 40, at(1));
    expect(windows.at(2 ** 40 - 1)).toEqual(at(1));
    expect(() => windows.write(new ByteWriter(2 ** 20))).toThrow('longer than 1048576 bytes');
  });
});
