import { deflateSync, inflateSync } from 'node:zlib';
import { createRandom } from '@htskit/testing';
import { expect, test } from 'vitest';
import { pakoEngine } from '../src/engines/pako-engine.js';
import { zlibEngine } from '../src/engines/zlib-engine.node.js';
import { createZlibInflater, deflateZlib } from '../src/zlib-data.js';

const random = createRandom(1950);
const noise = Uint8Array.from({ length: 65_280 }, () => random() * 256);
const repeated = new Uint8Array(65535).fill(255);
const short = Uint8Array.from({ length: 12_312 }, (_, i) => i % 7);
const INPUTS = [new Uint8Array(0), Uint8Array.of(7), short, repeated, noise];

test.each([undefined, pakoEngine, zlibEngine])(
  'node:zlib inflates what engine %# deflates, at every level',
  (engine) => {
    for (const data of INPUTS) {
      for (const level of [0, 1, 6, 9]) {
        expect(inflateSync(deflateZlib(data, engine ? { level, engine } : { level }))).toEqual(Buffer.from(data));
      }
    }
  },
);

test('inflates what node:zlib deflates', () => {
  const inflate = createZlibInflater();
  for (const data of INPUTS) {
    expect(inflate(deflateSync(data), { size: 65536, coffset: 0 })).toEqual(data);
  }
});

test('refuses data with a wrong checksum, without its checksum, and longer than expected', () => {
  const inflate = createZlibInflater();
  const data = deflateZlib(short);
  const changed = data.slice();
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  const options = { size: short.length, coffset: 9 };
  expect(() => inflate(changed, options)).toThrow(expect.objectContaining({ code: 'INVALID_DATA', offset: 9 }));
  expect(() => inflate(data.subarray(0, -1), options)).toThrow(expect.objectContaining({ code: 'INVALID_DATA' }));
  expect(() => inflate(data, { ...options, size: 12_311 })).toThrow(expect.objectContaining({ code: 'SIZE_MISMATCH' }));
});

test('refuses an invalid level', () => {
  expect(() => deflateZlib(short, { level: 10 })).toThrow(RangeError);
});
