import { describe, expect, test } from 'vitest';
import { BlockWindow } from '../../src/writers/inflated-blocks.js';

function block(coffset: number, length: number, nextCoffset = coffset + 100) {
  return { coffset, nextCoffset, data: Uint8Array.from({ length }, (_, i) => (coffset + i) % 251) };
}

describe('BlockWindow', () => {
  test('returns virtual offsets, with the end of a block as the start of the next', () => {
    const window = new BlockWindow({ maxBytes: 1000 });
    window.add(block(0, 10));
    window.add(block(100, 5, 170));
    window.add(block(250, 20));
    expect([1, 9, 10, 11, 15, 16, 34, 35].map((length) => window.offsetAfter(length))).toEqual([
      { coffset: 0, uoffset: 1 },
      { coffset: 0, uoffset: 9 },
      { coffset: 100, uoffset: 0 },
      { coffset: 100, uoffset: 1 },
      { coffset: 170, uoffset: 0 }, // After an empty block
      { coffset: 250, uoffset: 1 },
      { coffset: 250, uoffset: 19 },
      { coffset: 350, uoffset: 0 },
    ]);
  });

  test('continues in the middle of a block when another is added', () => {
    const window = new BlockWindow({ maxBytes: 1000 });
    window.add(block(0, 10));
    window.skip(4);
    window.add(block(100, 5));
    expect([...window.data]).toEqual([4, 5, 6, 7, 8, 9, 100, 101, 102, 103, 104]);
    expect(window.offsetAfter(1)).toEqual({ coffset: 0, uoffset: 5 });
    expect(window.offsetAfter(6)).toEqual({ coffset: 100, uoffset: 0 });
    window.skip(11);
    window.add(block(200, 3));
    expect([...window.data]).toEqual([200, 201, 202]);
    expect(window.offsetAfter(3)).toEqual({ coffset: 300, uoffset: 0 });
  });

  test('skips empty blocks and refuses to hold more than maxBytes', () => {
    const window = new BlockWindow({ maxBytes: 15 });
    window.add(block(0, 10));
    window.add(block(100, 0));
    expect(window.offsetAfter(10)).toEqual({ coffset: 100, uoffset: 0 });
    const error = expect.objectContaining({ name: 'IndexError', code: 'LIMIT_EXCEEDED', offset: 0 }) as Error;
    expect(() => window.add(block(200, 6))).toThrow(error);
  });
});
