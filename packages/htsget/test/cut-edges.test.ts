import { expect, test } from 'vitest';
import { splitAtEdges } from '../src/cut-edges.js';

type Offset = readonly [coffset: number, uoffset: number];

/** As `cut 10:5-20:0` and `range 20-30`. */
function partsOf(start: Offset, end: Offset, firstBlockEnd: number): string[] {
  const toVirtual = ([coffset, uoffset]: Offset) => ({ coffset, uoffset });
  const parts = splitAtEdges(
    { kind: 'cut', class: 'body', start: toVirtual(start), end: toVirtual(end) },
    firstBlockEnd,
  );
  return parts.map((part) =>
    part.kind === 'range'
      ? `range ${part.start}-${part.end}`
      : `cut ${part.start.coffset}:${part.start.uoffset}-${part.end.coffset}:${part.end.uoffset}`,
  );
}

test.each<[string, Offset, Offset, string[]]>([
  ['both ends inside of blocks', [10, 5], [40, 7], ['cut 10:5-20:0', 'range 20-40', 'cut 40:0-40:7']],
  ['both ends between blocks', [10, 0], [40, 0], ['range 10-40']],
  ['its end between blocks', [10, 5], [40, 0], ['cut 10:5-20:0', 'range 20-40']],
  ['its start between blocks', [10, 0], [40, 7], ['range 10-40', 'cut 40:0-40:7']],
  ['nothing between its edges', [10, 5], [20, 7], ['cut 10:5-20:0', 'cut 20:0-20:7']],
  ['one block to its end', [10, 5], [20, 0], ['cut 10:5-20:0']],
  ['a part of one block', [10, 5], [10, 7], ['cut 10:5-10:7']],
  ['an end that its first block does not know', [10, 5], [15, 7], ['cut 10:5-15:7']],
])('a cut with %s', (_, start, end, parts) => {
  expect(partsOf(start, end, 20)).toEqual(parts);
});
