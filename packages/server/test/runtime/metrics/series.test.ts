import { AggregatorRegistry, Counter, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createCounter, createHistogram } from '../../../src/runtime/metrics/series.js';

const COUNTER = { name: 'requests_total', help: 'Requests.', labelNames: ['route', 'status'] };
const HISTOGRAM = { name: 'seconds', help: 'Time.', labelNames: ['route'], buckets: [0.5, 1, 2] };

/** Returns the metrics of a registry after the same observations. */
function observed(counter: Pick<Counter, 'inc'>, histogram: Pick<Histogram, 'observe'>): void {
  counter.inc({ route: '/a', status: 200 });
  counter.inc({ route: '/a', status: 200 }, 2);
  counter.inc({ route: '/b', status: 404 });
  for (const value of [0, 0.5, 0.75, 2, 2.5]) histogram.observe({ route: '/a' }, value);
  histogram.observe({ route: '/b' }, 1);
}

test('counters and histograms read like those of prom-client, also when processes are aggregated', async () => {
  const ours = new Registry();
  observed(createCounter(ours, COUNTER), createHistogram(ours, HISTOGRAM));
  const theirs = new Registry();
  observed(new Counter({ ...COUNTER, registers: [theirs] }), new Histogram({ ...HISTOGRAM, registers: [theirs] }));
  expect(await ours.metrics()).toBe(await theirs.metrics());
  const [oursTwice, theirsTwice] = await Promise.all(
    [ours, theirs].map(async (registry) => {
      const snapshot = await registry.getMetricsAsJSON();
      return AggregatorRegistry.aggregate([snapshot, snapshot]).metrics();
    }),
  );
  expect(oursTwice).toBe(theirsTwice);
  expect(oursTwice).toContain('seconds_bucket{le="+Inf",route="/a"} 10');
});

test('a counter without labels begins at 0', async () => {
  const registry = new Registry();
  const counter = createCounter(registry, { name: 'drops_total', help: 'Drops.' });
  expect(await registry.metrics()).toContain('\ndrops_total 0\n');
  counter.inc();
  expect(await registry.metrics()).toContain('\ndrops_total 1\n');
});
