import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { costRatio, mutations, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import type { CodecEngine } from '../../src/engines/codec-engine.js';
import { jsInflateEngine } from '../../src/engines/js/js-inflater.js';
import { pakoEngine } from '../../src/engines/pako-engine.js';
import { createWasmEngine } from '../../src/engines/wasm-engine.js';
import { zlibEngine } from '../../src/engines/zlib-engine.node.js';
import { attempt } from '../attempt.js';
import { ascii, joinBytes } from '../build-block.js';
import { letters, noise } from '../noise.js';

/** Inflates in plain JavaScript. */
const jsEngine: CodecEngine = { ...pakoEngine, ...jsInflateEngine };
const engines = [zlibEngine, pakoEngine, jsEngine, createWasmEngine()];

function error(code: string): Error {
  return expect.objectContaining({ name: 'BgzfError', code, offset: 42 }) as Error;
}

describe.each(engines)('the engine $name', (engine) => {
  const inflater = engine.createInflater();
  const inflate = (data: Uint8Array, size: number) => inflater.inflateRaw(data, { size, coffset: 42 });
  const deflate = (data: Uint8Array, level: number) => engine.deflateRaw(data, level)?.slice() ?? new Uint8Array(0);

  test.each([0, 1, 63, 64, 65, 4095, 4096, 16384, 65279, 65280, 65535, 65536])('inflates %i bytes', (size) => {
    const data = letters(size);
    const deflated = deflateRawSync(data);
    const { bytes, consumed } = inflate(deflated, size);
    expect(Buffer.compare(bytes, data)).toBe(0);
    expect(consumed).toBe(deflated.length);
  });

  test.each([1, 6, 9])(
    'data deflated at level %i inflates to the same data, and deflates to the same bytes each time',
    (level) => {
      const data = letters(65280);
      const deflated = deflate(data, level);
      expect(Buffer.compare(inflateRawSync(deflated), data)).toBe(0);
      deflate(letters(100), level);
      expect(Buffer.compare(deflate(data, level), deflated)).toBe(0);
    },
  );

  test('a higher level results in at most as many bytes', () => {
    const data = ascii('chr1\t12345\trs99\tA\tG\t'.repeat(2000));
    expect(deflate(data, 9).length).toBeGreaterThan(0);
    expect(deflate(data, 9).length).toBeLessThanOrEqual(deflate(data, 1).length);
  });

  test('incompressible data results in no fewer bytes than storing it, or in undefined', () => {
    const data = noise(5000);
    expect(engine.deflateRaw(data, 9)?.length ?? 5005).toBeGreaterThanOrEqual(5000);
  });

  test.each([0, 10, 4094, 4095, 65536])(
    'results of %i bytes are plain arrays, and two inflaters share no memory',
    (size) => {
      const deflated = deflateRawSync(letters(size));
      const results = [inflate(deflated, size), engine.createInflater().inflateRaw(deflated, { size, coffset: 42 })];
      for (const { bytes } of results) {
        expect(bytes.constructor).toBe(Uint8Array);
        expect(Buffer.compare(bytes, letters(size))).toBe(0);
      }
    },
  );

  test('inflates a prefix of any length', () => {
    const data = ascii(`${'GATTACA'.repeat(20)}${'A'.repeat(300)}CCTGA`);
    const deflated = deflateRawSync(data);
    for (let size = 0; size <= data.length + 1; size += 1) {
      const prefix = inflater.inflatePrefix(deflated, { size, coffset: 42 });
      expect(Buffer.compare(prefix, data.subarray(0, size)), `${size}`).toBe(0);
    }
  });

  test('a prefix longer than incomplete data is INVALID_DATA', () => {
    const deflated = deflateRawSync(letters(3000)).subarray(0, -100);
    expect(inflater.inflatePrefix(deflated, { size: 1000, coffset: 42 })).toEqual(letters(3000).subarray(0, 1000));
    expect(() => inflater.inflatePrefix(deflated, { size: 3000, coffset: 42 })).toThrow(error('INVALID_DATA'));
  });

  test.each([0, 1, 7, 8, 9, 63, 64, 65, 1000, 65536])('the CRC32 of %i bytes equals that of node:zlib', (size) => {
    expect(engine.crc32(letters(size))).toBe(crc32(letters(size)));
    expect(engine.crc32(noise(size + 3).subarray(3))).toBe(crc32(noise(size + 3).subarray(3)));
  });

  test('more data than expected is SIZE_MISMATCH', () => {
    for (const size of [0, 1, 50, 99]) {
      expect(() => inflate(deflateRawSync(letters(100)), size)).toThrow(error('SIZE_MISMATCH'));
    }
  });

  test('rejects a bomb in a fraction of the time that inflating it takes', () => {
    const bomb = deflateRawSync(new Uint8Array(10_000_000));
    const reject = (): void => expect(() => inflate(bomb, 100)).toThrow(error('SIZE_MISMATCH'));
    expect(costRatio(reject, () => inflateRawSync(bomb), 0.2)).toBeLessThan(0.25);
  });

  test('less data than expected is returned as it is', () => {
    expect(inflate(deflateRawSync(letters(100)), 101).bytes.length).toBe(100);
    expect(inflate(deflateRawSync(letters(100)), 65536).bytes.length).toBe(100);
  });

  test('bytes after the data are not consumed', () => {
    const deflated = deflateRawSync(letters(1000));
    const { bytes, consumed } = inflate(joinBytes([deflated, deflated]), 1000);
    expect(bytes.length).toBe(1000);
    expect(consumed).toBe(deflated.length);
  });

  test('every proper prefix of DEFLATE data is INVALID_DATA', () => {
    const deflated = deflateRawSync(letters(60));
    for (let length = 0; length < deflated.length; length += 1) {
      expect(() => inflate(deflated.subarray(0, length), 60)).toThrow(error('INVALID_DATA'));
    }
  });

  test.each([
    ['a reserved block type', [0x07]],
    ['a stored block whose LEN and NLEN disagree', [1, 4, 0, 0, 0, 1, 2, 3, 4]],
    ['a distance before the start', [0x4b, 0x04, 0x11, 0x00]],
    ['no bytes', []],
  ])('%s is INVALID_DATA', (_name, bytes) => {
    expect(() => inflate(Uint8Array.from(bytes), 1000)).toThrow(error('INVALID_DATA'));
  });

  test('mutated data is rejected or inflates to the same bytes as with node:zlib', () => {
    const outcome = (tested: CodecEngine, data: Uint8Array): string => {
      const inflated = attempt(() => tested.createInflater().inflateRaw(data, { size: 3000, coffset: 42 }));
      return inflated === undefined ? 'rejected' : `${tested.crc32(inflated.bytes)} ${inflated.consumed}`;
    };
    for (const { bytes, description } of mutations(deflateRawSync(letters(3000)), { seed: 1, count: volume(2000) })) {
      expect(outcome(engine, bytes), `${description}`).toBe(outcome(zlibEngine, bytes));
    }
  });
});
