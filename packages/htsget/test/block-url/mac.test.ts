import { describe, expect, test } from 'vitest';
import * as portable from '../../src/block-url/mac.js';
import * as node from '../../src/block-url/mac.node.js';

// RFC 4231 §4.2, §4.3 and §4.7: keys shorter and longer than a block of SHA-256.
const VECTORS: readonly [key: Uint8Array, text: string, hex: string][] = [
  [new Uint8Array(20).fill(0x0b), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  [
    new TextEncoder().encode('Jefe'),
    'what do ya want for nothing?',
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  [
    new Uint8Array(131).fill(0xaa),
    'Test Using Larger Than Block-Size Key - Hash Key First',
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
];

describe.each([
  ['portable', portable],
  ['node', node],
])('the HMAC-SHA-256 of %s', (_name, { createMac }) => {
  test.each(VECTORS)('is that of RFC 4231 (%#)', (key, text, hex) => {
    expect(createMac(key)(text)).toBe(Buffer.from(hex, 'hex').toString('base64url'));
  });

  test('is the same each time', () => {
    const mac = createMac(new Uint8Array(32));
    expect(mac('one')).not.toBe(mac('other'));
    expect(mac('one')).toBe(mac('one'));
  });
});
