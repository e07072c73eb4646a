import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { type MeasuredProcess, ProcessMetrics } from '../../../src/runtime/processes/process-metrics.js';

function measured(): { readonly process: MeasuredProcess; readonly registry: Registry; isGone: boolean } {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: 'a_total', help: 'a', labelNames: ['x'], registers }).inc({ x: '1' }, 5);
  new Gauge({ name: 'b', help: 'b', registers }).set(3);
  new Histogram({ name: 'c', help: 'c', buckets: [1, 2], registers }).observe(1.5);
  const state = { registry, isGone: false };
  const process = { readMetrics: async () => (state.isGone ? undefined : registry.getMetricsAsJSON()) };
  return Object.assign(state, { process });
}

test('adds up the metrics of all processes', async () => {
  const metrics = new ProcessMetrics();
  for (const { process } of [measured(), measured()]) metrics.add(process);
  const lines = (await metrics.read()).split('\n');
  for (const line of ['a_total{x="1"} 10', 'b 6', 'c_bucket{le="2"} 2', 'c_count 2', 'htskit_processes 2'])
    expect(lines).toContain(line);
});

test('keeps the counts of processes that ended, but not their gauges', async () => {
  const metrics = new ProcessMetrics();
  const [one, two, three] = [measured(), measured(), measured()];
  for (const { process } of [one, two, three]) metrics.add(process);
  await metrics.read();
  // The first ends in good order, the second is killed, after it was last read.
  await metrics.remove(one.process, await one.registry.getMetricsAsJSON());
  two.isGone = true;
  await metrics.remove(two.process);
  metrics.countRestart();
  const lines = (await metrics.read()).split('\n');
  for (const line of ['a_total{x="1"} 15', 'b 3', 'c_count 3', 'htskit_processes 1', 'htskit_process_restarts_total 1'])
    expect(lines).toContain(line);
});

test('uses the last metrics of a process that does not answer', async () => {
  const metrics = new ProcessMetrics();
  const one = measured();
  metrics.add(one.process);
  await metrics.read();
  one.isGone = true;
  expect((await metrics.read()).split('\n')).toContain('a_total{x="1"} 5');
});
