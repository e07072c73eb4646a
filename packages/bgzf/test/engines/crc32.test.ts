import { crc32 as zlibCrc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32 } from '../../src/engines/crc32.js';
import { ascii } from '../build-block.js';

test('the check value of CRC-32/ISO-HDLC is cbf43926', () => {
  expect(crc32(ascii('123456789'))).toBe(0xcbf43926);
  expect(crc32(new Uint8Array(0))).toBe(0);
});

test('equals the CRC32 of zlib for any bytes at any alignment', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat({ max: 9 }), (bytes, start) => {
      const view = bytes.subarray(start);
      expect(crc32(view)).toBe(zlibCrc32(view));
    }),
  );
});
