import { expect, test } from 'vitest';
import { CraiIndex, parseCrai } from '../../src/index.js';
import { compactCrai } from '../../src/internal.js';

/** The text of an index of `count` slices on several references, with unplaced slices at the end, in the given order. */
function craiText(count: number, isSorted: boolean): Uint8Array {
  const lines = Array.from({ length: count }, (_, slice) => {
    const reference = slice < count - 3 ? Math.floor(slice / 100) : -1;
    return `${reference}\t${reference === -1 ? 0 : slice * 10 + 1}\t${reference === -1 ? 0 : 25}\t${26 + slice * 1000}\t50\t900`;
  });
  return new TextEncoder().encode(`${(isSorted ? lines : lines.toReversed()).join('\n')}\n`);
}

test.each([true, false])('a posted copy of the compact form is the same index (sorted: %s)', (isSorted) => {
  const text = craiText(1000, isSorted);
  const index = new CraiIndex(structuredClone(compactCrai(text)));
  const parsed = parseCrai(text);
  expect([...index.slices()]).toEqual([...parsed.slices()]);
  expect(index.referenceIds).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1]);
  for (const query of [{ referenceId: 3, start: 3100, end: 3200 }, { referenceId: -1 } as const]) {
    expect(index.containers(query)).toEqual(parsed.containers(query));
    expect(index.containers(query).length).toBeGreaterThan(0);
  }
});

test('an empty index has no slices', () => {
  const index = new CraiIndex(compactCrai(new Uint8Array(0)));
  expect([index.sliceCount, index.containerCount, [...index.slices()]]).toEqual([0, 0, []]);
});

test('a slice takes at most 56 bytes of memory', () => {
  const count = 10_000;
  expect(parseCrai(craiText(count, true)).byteLength).toBeLessThan(56 * count);
});
