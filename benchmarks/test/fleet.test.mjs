import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createShares } from '../random.mjs';
import { findCapacity, planFleet } from '../scale/capacity.mjs';
import { simulateFleet } from '../scale/fleet.mjs';
import { simulateLocalFleet } from '../scale/local-fleet.mjs';
import { drawView, MIXES, meanView } from '../scale/mixes.mjs';
import { createCosts, meanCosts, toFactors } from '../scale/model/costs.mjs';
import { Machine } from '../scale/model/machine.mjs';
import { LIMITS, ServingProcess } from '../scale/model/serving-process.mjs';
import { Simulation } from '../scale/model/simulation.mjs';

/** Costs in microseconds and bytes, as costs.mjs measures them. */
function costsOf({ main = 0, workers = 0, others = 0, client = 0, idle = 0, bytes = 1000, reads = 0 }) {
  const busy = { main, workers, others, client };
  const samples = Object.entries({ ...busy, idle, bytes, reads }).map(([name, value]) => [name, [value, value]]);
  return { busy, samples: Object.fromEntries(samples) };
}

const COSTS = {
  ticket: { ...costsOf({ main: 500 }), cold: costsOf({ main: 20_000, reads: 9 }).samples },
  block: costsOf({ main: 2000, workers: 4000, others: 500, bytes: 175_000, reads: 1 }),
  slice: costsOf({ main: 100 }),
  coverage: costsOf({ main: 9000, others: 2000, bytes: 5000 }),
  overview: costsOf({ main: 600, bytes: 4000 }),
  part: costsOf({ main: 7000, client: 9000, bytes: 2 ** 23, reads: 1 }),
};

describe('simulateFleet', () => {
  it('returns the same for a seed, and something else for another one', () => {
    const run = (seed) => simulateFleet(COSTS, { users: 500, seed });
    expect(run(3)).toEqual(run(3));
    expect(run(4)).not.toEqual(run(3));
  });

  it('requests everything from the replicas without a CDN, and all but the hits with one', () => {
    const views = 2000 / MIXES.browser.thinkSeconds;
    const requests = Object.values(meanView(MIXES.browser)).reduce((sum, count) => sum + count, 0);
    const without = simulateFleet(COSTS, { users: 2000, cdn: 0, cold: 0 });
    expect(without.perSecond.responses / (views * requests)).toBeCloseTo(1, 1);
    expect(without.perSecond.reads / views).toBeCloseTo(1, 1);
    const withAll = simulateFleet(COSTS, { users: 2000, cdn: 1, cold: 0 });
    expect(withAll.perSecond.reads).toBe(0);
    expect(withAll.perSecond.responses / (views * (requests - 2))).toBeCloseTo(1, 1);
  });

  it('has a number of events that grows as the number of users', () => {
    const { events } = simulateFleet(COSTS, { users: 500 });
    const { events: ofFour } = simulateFleet(COSTS, { users: 2000 });
    expect(ofFour / events).toBeGreaterThan(3.6);
    expect(ofFour / events).toBeLessThan(4.4);
  });

  it('has more to do, and asks the store more often, if files are opened first', () => {
    const [warm, cold] = [0, 1].map((share) => simulateFleet(COSTS, { users: 500, cold: share }));
    expect(cold.perSecond.reads / warm.perSecond.reads).toBeGreaterThan(8);
    expect(cold.perSecond.main).toBeGreaterThan(warm.perSecond.main);
  });

  it('uses as many processors as the costs of its responses say', () => {
    const { perSecond } = simulateFleet(COSTS, { users: 1000, cold: 0 });
    const seconds = Object.entries(meanView(MIXES.browser)).reduce((sum, [kind, count]) => {
      const { main, workers, others } = meanCosts(COSTS)[kind];
      return sum + count * (main + workers + others);
    }, 0);
    expect(perSecond.processors / ((1000 / MIXES.browser.thinkSeconds) * seconds)).toBeCloseTo(1, 1);
  });
});

describe('simulateLocalFleet', () => {
  const options = { cores: 2, threads: 2, mix: 'browser', warmUpSeconds: 10, seconds: 100, thinkSeconds: 0.3, seed: 1 };

  it('takes the processor time that a measured run took', () => {
    const counts = meanView(MIXES.browser);
    const factors = toFactors(COSTS, { counts, seconds: { main: 0.004, workers: 0.006, others: 0.001, client: 0 } });
    const { serverSeconds, secondsByKind } = simulateLocalFleet(COSTS, { ...options, factors, processes: 1, users: 5 });
    expect(serverSeconds / secondsByKind.view.length / 0.011).toBeCloseTo(1, 1);
  });

  it('obeys the law of interactive response times at any load', () => {
    for (const users of [5, 20, 80]) {
      const { secondsByKind } = simulateLocalFleet(COSTS, { ...options, processes: 1, users });
      const views = secondsByKind.view;
      const mean = views.reduce((sum, seconds) => sum + seconds, 0) / views.length;
      expect(((views.length / options.seconds) * (options.thinkSeconds + mean)) / users).toBeCloseTo(1, 1);
    }
  });

  it('serves twice as many views in two processes if the main thread is what limits one', () => {
    const costs = Object.fromEntries(Object.keys(COSTS).map((kind) => [kind, costsOf({ main: 1000 })]));
    const [one, two] = [1, 2].map((processes) =>
      simulateLocalFleet(costs, { ...options, thinkSeconds: 0.1, processes, users: 200 }),
    );
    expect(two.secondsByKind.view.length / one.secondsByKind.view.length).toBeCloseTo(2, 1);
    expect(one.serverSeconds / options.seconds).toBeCloseTo(1, 2);
  });
});

describe('ServingProcess', () => {
  function createProcess(costs, limits) {
    const simulation = new Simulation();
    const machine = new Machine(simulation, { cores: 1, gigabits: 1, clientMegabits: 80 });
    const drawCost = createCosts(costs, { nextShare: createShares(1) });
    const process = new ServingProcess(simulation, { machine, threads: 1, drawCost, limits: { ...LIMITS, ...limits } });
    return { simulation, process };
  }

  it('refuses a request beyond the limit of concurrency', () => {
    const { simulation, process } = createProcess({ ticket: costsOf({ main: 500 }) }, { concurrency: 2 });
    const answers = [];
    for (let request = 0; request < 3; request += 1) process.answer('ticket', (isAnswered) => answers.push(isAnswered));
    simulation.run(1);
    expect(answers.filter((isAnswered) => isAnswered)).toHaveLength(2);
    expect(answers).toHaveLength(3);
    expect(process.refusals).toEqual({ concurrency: 1 });
  });

  it('leaves the slot of a response while its client receives it', () => {
    const { simulation, process } = createProcess({ block: costsOf({ main: 1000, bytes: 1e6 }) }, { concurrency: 1 });
    const answers = [];
    process.answer('block', (isAnswered) => answers.push({ isAnswered, at: simulation.now }));
    simulation.run(0.01);
    process.answer('block', (isAnswered) => answers.push({ isAnswered, at: simulation.now }));
    simulation.run(1);
    // A client receives 10 MB/s.
    expect(answers).toEqual([
      { isAnswered: true, at: expect.closeTo(0.101, 6) },
      { isAnswered: true, at: expect.closeTo(0.111, 6) },
    ]);
  });

  it('sends a long body while it reads the rest of it', () => {
    const { simulation, process } = createProcess({ part: costsOf({ main: 100_000, bytes: 2e6 }) });
    let end;
    process.answer('part', () => {
      end = simulation.now;
    });
    simulation.run(1);
    expect(end).toBeCloseTo(0.201, 6);
  });
});

/** Replicas with so few users that they are simulated in a moment. */
const SMALL = { cores: 1, processes: 1, seconds: 10 };

function firstLimit({ users, ...options }) {
  return planFleet(COSTS, { ...options, users, capacity: findCapacity(COSTS, options) }).first;
}

describe('planFleet', () => {
  it('plans ten times the replicas for ten times the users, all within the goals', () => {
    const options = { ...SMALL, cdn: 0.9 };
    const capacity = findCapacity(COSTS, options);
    const [small, large] = [1e5, 1e6].map((users) => planFleet(COSTS, { ...options, users, capacity }));
    expect(large.replicas / small.replicas).toBeCloseTo(10, 0);
    expect(large.p99).toBeLessThan(0.5);
    expect(large.cores).toBe(large.replicas);
  });

  it('names the network if that is what limits downloads', () => {
    expect(firstLimit({ users: 1000, mix: 'pipeline', gigabits: 1 })).toBe('network');
  });

  it('names the store if all replicas together request more than it answers', () => {
    expect(firstLimit({ ...SMALL, users: 1e6, storePerSecond: 1000 })).toBe('requests to the store');
  });

  it('throws if not even one user is within the goals', () => {
    expect(() => findCapacity(COSTS, { mix: 'browser', cores: 1 }, { p99: 0, failed: 0 })).toThrow(
      'no number of users',
    );
  });
});

describe('costs.json', () => {
  const { places } = JSON.parse(readFileSync(new URL('../scale/costs.json', import.meta.url), 'utf8'));

  it.each(Object.keys(MIXES))('has the costs of the mix %s in a folder and in a bucket', (mix) => {
    for (const place of ['folder', 'bucket']) {
      const { perSecond } = simulateFleet(places[place], { mix, users: 20 });
      expect(perSecond.responses).toBeGreaterThan(0);
      expect(perSecond.main).toBeGreaterThan(0);
    }
  });
});

describe('drawView', () => {
  it('draws the steps of a mix as often as their shares say', () => {
    const nextShare = createShares(2);
    const counts = {};
    for (let view = 0; view < 20_000; view += 1) {
      for (const kind of drawView(MIXES.browser, nextShare)) counts[kind] = (counts[kind] ?? 0) + 1;
    }
    for (const [kind, mean] of Object.entries(meanView(MIXES.browser)))
      expect(counts[kind] / 20_000).toBeCloseTo(mean, 1);
  });
});
