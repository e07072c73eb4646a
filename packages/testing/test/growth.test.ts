import { expect, test } from 'vitest';
import { costRatio, excessGrowth, excessGrowthAsync } from '../src/index.js';

/** Computes a sum in `count` steps. */
function repeat(count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum = (sum * 31 + i) | 0;
  return sum;
}

test.each([
  ['linear', 0.3, 3, (size: number) => repeat(1000 * size)],
  ['quadratic', 11, 96, (size: number) => repeat((size * size) / 10)],
])('measures %s growth', async (_, least, most, run) => {
  for (const excess of [
    excessGrowth((size) => size, run, { size: 150 }),
    await excessGrowthAsync(
      (size) => size,
      async (size) => run(size),
      { size: 150 },
    ),
  ]) {
    expect(excess).toBeGreaterThan(least);
    expect(excess).toBeLessThan(most);
  }
});

test('compares the costs of two functions', () => {
  const ratio = costRatio(
    () => repeat(2_000_000),
    () => repeat(250_000),
  );
  expect(ratio).toBeGreaterThan(8 / 3);
  expect(ratio).toBeLessThan(8 * 3);
});
