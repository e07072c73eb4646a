import { describe, expect, it } from 'vitest';
import { createLogScale } from '../report/log-scale.mjs';

const PLACE = { left: 100, width: 300 };

describe('createLogScale', () => {
  it('has room for half and twice of 1 where all ratios are near it', () => {
    const { ticks, toX } = createLogScale([1.1, 0.9], PLACE);
    expect(ticks).toEqual([0.5, 1, 2]);
    expect(ticks.map(toX)).toEqual([100, 250, 400]);
  });

  it('begins and ends with ticks around the values, with decades of equal width', () => {
    const { ticks, toX } = createLogScale([0.03, 40], PLACE);
    expect(ticks).toEqual([0.03, 0.1, 0.3, 1, 3, 10, 30, 100]);
    expect(toX(1) - toX(0.1)).toBeCloseTo(toX(10) - toX(1), 0);
  });

  it('has ticks only at decades if there are many', () => {
    const { ticks } = createLogScale([0.002, 11_100], PLACE);
    expect(ticks).toEqual([0.001, 0.01, 0.1, 1, 10, 100, 1000, 10_000, 100_000]);
  });

  it('keeps infinity and zero within the plot', () => {
    const { ticks, toX } = createLogScale([Infinity, 0, 1], PLACE);
    expect(ticks).toEqual([0.5, 1, 2]);
    expect([toX(0), toX(Infinity)]).toEqual([100, 400]);
  });
});
