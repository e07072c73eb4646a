import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createParts, ListSource, NO_VALUE } from '../../src/columns/byte-lists.js';
import { GrowingList, type ListColumn } from '../../src/columns/list-column.js';
import { partCopier } from '../../src/columns/wasm/part-copier.js';

const BASES = '=ACMGRSVTWYHKDBN';
/** Data up to this length is copied by WebAssembly. */
const MAX_COPIED_BYTES = 2 ** 22;

type Bytes = Uint8Array<ArrayBuffer>;
type Part = readonly [start: number, length: number] | undefined;

/** Appends parts of data as the lists of records. */
function append(list: GrowingList<Bytes>, data: Uint8Array, parts: readonly Part[], content: 'bytes' | 'bases'): void {
  const places = createParts(parts.length);
  for (const [record, part] of parts.entries()) {
    places.starts[record] = part?.[0] ?? NO_VALUE;
    places.ends[record] = part === undefined ? 0 : part[0] + part[1];
  }
  const source = new ListSource(data);
  if (content === 'bytes') source.appendBytes(list, places);
  else source.appendBases(list, places);
}

function listsOf({ offsets, values, validity }: ListColumn<Bytes>): (number[] | undefined)[] {
  return Array.from({ length: offsets.length - 1 }, (_, record) => {
    const isValid = validity === undefined || (((validity[record >> 3] ?? 0) >> (record & 7)) & 1) === 1;
    return isValid ? Array.from(values.subarray(offsets[record], offsets[record + 1])) : undefined;
  });
}

function lettersAt(data: Uint8Array, start: number, count: number): number[] {
  return Array.from({ length: count }, (_, base) => {
    const pair = data[start + (base >> 1)] ?? 0;
    return BASES.charCodeAt(base % 2 === 0 ? pair >> 4 : pair & 0xf);
  });
}

const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 });
const places = fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 40 });

test('tests run WebAssembly', () => {
  expect(partCopier).toBeDefined();
});

describe.each([
  ['by WebAssembly', 0],
  ['by JavaScript, which longer data is left to', MAX_COPIED_BYTES],
])('parts that are copied %s', (_, padding) => {
  /** The data, and what makes it long. */
  const toLong = (data: Uint8Array): Uint8Array => {
    if (padding === 0) return data;
    const long = new Uint8Array(data.length + padding);
    long.set(data);
    return long;
  };
  const runs = padding === 0 ? {} : { numRuns: 20 };

  test('become lists, some of which are missing or empty', () => {
    fc.assert(
      fc.property(bytes, places, (data, numbers) => {
        const parts = numbers.map(([start, length]): Part => {
          const from = start % data.length;
          return length % 5 === 0 ? undefined : [from, length % (data.length - from + 1)];
        });
        const list = new GrowingList<Bytes>(Uint8Array);
        append(list, toLong(data), parts, 'bytes');
        expect(listsOf(list.take())).toEqual(
          parts.map((part) => part && Array.from(data.subarray(part[0], part[0] + part[1]))),
        );
      }),
      runs,
    );
  });

  test('become the letters of bases', () => {
    fc.assert(
      fc.property(bytes, places, (data, numbers) => {
        const parts = numbers.map(([start, length]) => {
          const from = start % data.length;
          return [from, length % (2 * (data.length - from) + 1)] as const;
        });
        const list = new GrowingList<Bytes>(Uint8Array);
        append(list, toLong(data), parts, 'bases');
        expect(listsOf(list.take())).toEqual(parts.map(([start, count]) => lettersAt(data, start, count)));
      }),
      runs,
    );
  });
});

test('lists grow by parts of data of any lengths, in any order', () => {
  const list = new GrowingList<Bytes>(Uint8Array);
  const lengths = [10, 3_000_000, MAX_COPIED_BYTES + 1, 0, 70_000];
  const expected: (number[] | undefined)[] = [];
  for (const [index, length] of lengths.entries()) {
    const data = new Uint8Array(length).fill(index + 1);
    const parts: Part[] = [[0, length], undefined, [length >> 1, length - (length >> 1)]];
    append(list, data, parts, 'bytes');
    expected.push([index + 1, length], undefined, [index + 1, length - (length >> 1)]);
  }
  const found = listsOf(list.take()).map((each) => each && [each[0], each.length]);
  expect(found).toEqual(expected.map((each) => (each?.[1] === 0 ? [undefined, 0] : each)));
});
