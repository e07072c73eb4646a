import { expect, test } from 'vitest';
import { addToBytes } from '../../src/bytes/add-to-bytes.js';

test.each([0, 1, 3, 4, 5, 255, 256])('%i bytes of any value are added to and wrap, wherever they start', (count) => {
  const values = Uint8Array.from({ length: count }, (_, i) => 255 - i);
  for (let at = 0; at < 4; at++) {
    const source = new DataView(Uint8Array.of(...new Uint8Array(at).fill(9), ...values).buffer);
    const target = new Uint8Array(count + 2).fill(7);
    addToBytes(source, { at, count, addend: 33 }, new DataView(target.buffer), 1);
    expect([...target]).toEqual([7, ...values.map((value) => value + 33), 7]);
  }
});
