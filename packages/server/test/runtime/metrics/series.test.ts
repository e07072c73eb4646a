import { AggregatorRegistry, Counter, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import {
  createCounter,
  createHistogram,
  type FastCounter,
  type FastHistogram,
} from '../../../src/runtime/metrics/series.js';

const COUNTER = { name: 'requests_total', help: 'Requests.', labelNames: ['route', 'status'] };
const HISTOGRAM = { name: 'seconds', help: 'Time.', labelNames: ['route'], buckets: [0.5, 1, 2] };

/** Observes the same each time. */
function observe(counter: FastCounter, histogram: FastHistogram): void {
  counter.inc({ route: '/a', status: 200 });
  counter.inc({ route: '/a', status: 200 }, 2);
  counter.inc({ route: '/b', status: 404 });
  for (const value of [0, 0.5, 0.75, 2, 2.5]) histogram.observe({ route: '/a' }, value);
  histogram.observe({ route: '/b' }, 1);
}

test('counters and histograms read like those of prom-client, also when processes are aggregated', async () => {
  const ours = new Registry();
  observe(createCounter(ours, COUNTER), createHistogram(ours, HISTOGRAM));
  const theirs = new Registry();
  const counter = new Counter({ ...COUNTER, registers: [theirs] });
  const histogram = new Histogram({ ...HISTOGRAM, registers: [theirs] });
  observe({ inc: (labels, by) => counter.inc({ ...labels }, by) }, histogram);
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
