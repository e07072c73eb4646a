import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { packSamples, unpackSamples } from '../../src/samples/packed-samples.js';

test('samples are unpacked as they were packed', () => {
  const samples = fc.uniqueArray(fc.nat(40_000), { maxLength: 300 }).map((list) => list.sort((a, b) => a - b));
  fc.assert(
    fc.property(samples, (list) => {
      expect(unpackSamples(packSamples(list))).toEqual(list);
    }),
  );
});

test('few of many samples, and any of some thousand, take few characters', () => {
  const forty = Array.from({ length: 40 }, (_, index) => 700 * index + 13);
  expect(packSamples(forty).length).toBeLessThan(200);
  const everySecond = Array.from({ length: 1250 }, (_, index) => 2 * index);
  expect(packSamples(everySecond).length).toBeLessThan(420);
  expect(packSamples(Array.from({ length: 30_000 }, (_, index) => index)).length).toBeLessThan(10);
  expect(unpackSamples(packSamples([]))).toEqual([]);
});
