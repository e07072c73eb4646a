import { expect, test } from 'vitest';
import { excessGrowth, excessGrowthAsync } from '../src/index.js';

/** Computes a sum in `count` steps. */
function repeat(count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum = (sum * 31 + i) | 0;
  return sum;
}

test.each([
  ['linear', 0.5, 2, (size: number) => repeat(1000 * size)],
  ['quadratic', 4, 16, (size: number) => repeat((size * size) / 10)],
])('measures %s growth', async (_, least, most, run) => {
  for (const excess of [
    excessGrowth((size) => size, run, { size: 1500 }),
    await excessGrowthAsync(
      (size) => size,
      async (size) => run(size),
      { size: 1500 },
    ),
  ]) {
    expect(excess).toBeGreaterThan(least);
    expect(excess).toBeLessThan(most);
  }
});
