import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { inflateGzip } from '../../src/engines/inflate-gzip.js';
import { BitWriter } from './wasm/inflater-bits.js';

test('inflates a gzip member of more than 256 MiB', () => {
  const STORED = 65535;
  const BLOCKS = 4097;
  const end = new BitWriter().fixed([65, 66, 256]).toBytes();
  const gzip = new Uint8Array(10 + BLOCKS * (5 + STORED) + end.length + 8);
  gzip.set([0x1f, 0x8b, 8]);
  for (let block = 0; block < BLOCKS; block += 1) gzip.set([0, 255, 255, 0, 0], 10 + block * (5 + STORED));
  gzip.set(end, gzip.length - 8 - end.length);
  const data = new Uint8Array(BLOCKS * STORED + 2);
  data.set([65, 66], data.length - 2);
  const footer = new DataView(gzip.buffer, gzip.length - 8);
  footer.setUint32(0, crc32(data), true);
  footer.setUint32(4, data.length, true);
  expect(Buffer.compare(inflateGzip(gzip, data.length), data)).toBe(0);
});
