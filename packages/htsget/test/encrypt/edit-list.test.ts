import { expect, test } from 'vitest';
import { createEditList, type PaddedPart } from '../../src/encrypt/edit-list.js';

const SEGMENT = 65_536;
const END = [{ kind: 'end', class: 'body' }] as const;

function newPart(plainBytes: number | undefined, padding?: PaddedPart['padding']): PaddedPart {
  return { kind: 'new', segments: END, plainBytes, padding };
}

test.each<[string, readonly PaddedPart[], readonly number[] | undefined]>([
  ['one part needs none', [newPart(100)], undefined],
  ['parts of unknown length need none', [newPart(undefined, 'blocks'), newPart(undefined)], undefined],
  ['zeros are left out', [newPart(100, 'zeros'), newPart(5)], [0, 100, SEGMENT - 100, 5]],
  ['whole segments have no zeros', [newPart(SEGMENT, 'zeros'), newPart(5)], undefined],
  ['empty blocks are kept', [newPart(100, 'blocks'), newPart(5)], undefined],
  [
    'the edges of stored segments are left out',
    [newPart(100, 'blocks'), { kind: 'stored', start: 10, end: 5 * SEGMENT + 1 }, newPart(5)],
    [0, SEGMENT, 10, 5 * SEGMENT - 9, SEGMENT - 1, 5],
  ],
  [
    'stored segments before others are kept without their edges',
    [
      { kind: 'stored', start: SEGMENT, end: 6 * SEGMENT },
      { kind: 'stored', start: 9 * SEGMENT - 7, end: 20 * SEGMENT - 3 },
      newPart(8),
    ],
    [0, 5 * SEGMENT, SEGMENT - 7, 11 * SEGMENT + 4, 3, 8],
  ],
])('%s', (_fact, parts, lengths) => {
  expect(createEditList(parts)).toEqual(lengths);
});
