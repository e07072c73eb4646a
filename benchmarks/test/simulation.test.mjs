import { describe, expect, it } from 'vitest';
import { createShares } from '../random.mjs';
import { drawExponential } from '../scale/mixes.mjs';
import { SharedResource } from '../scale/model/shared-resource.mjs';
import { Simulation } from '../scale/model/simulation.mjs';
import { ThreadPool } from '../scale/model/thread-pool.mjs';

/** The mean of so many times has a standard deviation of 2 % at a utilisation of 0.8 (Whitt 1989), so that 6 % is three of these. */
const JOBS = 240_000;
const ONE_CLASS = [{ weight: 1, cap: 1 }];

/** Runs jobs that arrive as a Poisson process with exponential work. Returns their mean seconds, count and the mean number of jobs. */
function runQueue({ servers, utilisation, meanWork = 1, end, start }) {
  const nextShare = createShares(5);
  const simulation = new Simulation();
  const run = start(simulation, servers);
  const totals = { count: 0, seconds: 0, present: 0, area: 0, changedAt: 0 };
  const change = (by) => {
    totals.area += totals.present * (simulation.now - totals.changedAt);
    totals.changedAt = simulation.now;
    totals.present += by;
  };
  const arrive = () => {
    const arrivedAt = simulation.now;
    change(1);
    run(drawExponential(meanWork, nextShare), () => {
      change(-1);
      totals.count += 1;
      totals.seconds += simulation.now - arrivedAt;
    });
    simulation.schedule(drawExponential(meanWork / (utilisation * servers), nextShare), arrive);
  };
  arrive();
  simulation.run(end);
  return {
    mean: totals.seconds / totals.count,
    count: totals.count,
    present: totals.area / end,
    events: simulation.count,
  };
}

function onThreads(simulation, servers) {
  const processors = new SharedResource(simulation, { capacity: servers, classes: ONE_CLASS });
  const threads = new ThreadPool(processors, { classIndex: 0, threads: servers });
  return (seconds, done) => threads.run(seconds, done);
}

function onSharedProcessors(simulation, servers) {
  const processors = new SharedResource(simulation, { capacity: servers, classes: ONE_CLASS });
  return (seconds, done) => processors.add(0, seconds, done);
}

/** The share of jobs that wait (Erlang's C formula). */
function erlangC(servers, utilisation) {
  const load = servers * utilisation;
  let term = 1;
  let sum = 1;
  for (let n = 1; n < servers; n += 1) {
    term *= load / n;
    sum += term;
  }
  const last = (term * load) / servers / (1 - utilisation);
  return last / (sum + last);
}

/** The mean number of services that a job takes in an M/M/c queue. */
function meanOfQueue(servers, utilisation) {
  return 1 + erlangC(servers, utilisation) / (servers * (1 - utilisation));
}

/** Returns the relative error of a value. */
function errorOf(value, expected) {
  return Math.abs(value / expected - 1);
}

describe('Simulation', () => {
  it('runs actions in the order of their times, and of their scheduling at the same time', () => {
    const simulation = new Simulation();
    const order = [];
    for (const [delay, name] of [
      [2, 'c'],
      [1, 'a'],
      [3, 'd'],
      [1, 'b'],
    ]) {
      simulation.schedule(delay, () => order.push(name));
    }
    simulation.cancel(simulation.schedule(1.5, () => order.push('cancelled')));
    simulation.run(2.5);
    expect(order).toEqual(['a', 'b', 'c']);
    expect(simulation.now).toBe(2.5);
    simulation.run(4);
    expect(order).toEqual(['a', 'b', 'c', 'd']);
  });

  it('runs actions that an action schedules at the same time after those that wait', () => {
    const simulation = new Simulation();
    const order = [];
    simulation.schedule(1, () => simulation.schedule(0, () => order.push('later')));
    simulation.schedule(1, () => order.push('sooner'));
    simulation.run(2);
    expect(order).toEqual(['sooner', 'later']);
  });
});

describe('ThreadPool', () => {
  it.each([
    [1, 0.3],
    [1, 0.8],
    [2, 0.7],
    [8, 0.9],
  ])('has the mean time of an M/M/%i queue at a utilisation of %d', (servers, utilisation) => {
    const end = JOBS / (servers * utilisation);
    const { mean, count } = runQueue({ servers, utilisation, end, start: onThreads });
    expect(errorOf(mean, meanOfQueue(servers, utilisation))).toBeLessThan(0.06);
    expect(errorOf(count, JOBS)).toBeLessThan(0.01);
  });

  it("obeys Little's law", () => {
    const { mean, count, present } = runQueue({ servers: 3, utilisation: 0.8, end: 20_000, start: onThreads });
    expect(errorOf(present, (count / 20_000) * mean)).toBeLessThan(0.005);
  });
});

describe('SharedResource', () => {
  it('has the mean time of an M/M/1 queue that is shared by all jobs', () => {
    const { mean } = runQueue({ servers: 1, utilisation: 0.75, end: JOBS / 0.75, start: onSharedProcessors });
    expect(errorOf(mean, 4)).toBeLessThan(0.06);
  });

  it('gives no job more than its cap', () => {
    const simulation = new Simulation();
    const link = new SharedResource(simulation, { capacity: 10, classes: [{ weight: 1, cap: 2 }] });
    const ends = [];
    for (let job = 0; job < 4; job += 1) link.add(0, 6, () => ends.push(simulation.now));
    simulation.run(100);
    expect(ends).toEqual([3, 3, 3, 3]);
    expect(link.served()).toBe(24);
  });

  it('divides by weight what jobs at their cap leave', () => {
    const simulation = new Simulation();
    const classes = [
      { weight: 9, cap: 1 },
      { weight: 1, cap: 1 },
    ];
    const processors = new SharedResource(simulation, { capacity: 2, classes });
    const ends = {};
    // The first class is at its cap, and the two jobs of the second share the other processor.
    for (const [name, classIndex, seconds] of [
      ['main', 0, 4],
      ['worker', 1, 1],
      ['other worker', 1, 2],
    ]) {
      processors.add(classIndex, seconds, () => Object.assign(ends, { [name]: simulation.now }));
    }
    simulation.run(100);
    expect(ends.worker).toBeCloseTo(2, 9);
    expect(ends['other worker']).toBeCloseTo(3, 9);
    expect(ends.main).toBeCloseTo(4, 9);
  });

  it('gives one processor by weight to two threads', () => {
    const simulation = new Simulation();
    const classes = [
      { weight: 9, cap: 1 },
      { weight: 1, cap: 1 },
    ];
    const processors = new SharedResource(simulation, { capacity: 1, classes });
    const ends = [];
    processors.add(0, 9, () => ends.push(simulation.now));
    processors.add(1, 2, () => ends.push(simulation.now));
    simulation.run(100);
    expect(ends[0]).toBeCloseTo(10, 9);
    expect(ends[1]).toBeCloseTo(11, 9);
  });
});
