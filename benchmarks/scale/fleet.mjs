// A fleet behind a load balancer and a CDN, simulated.
import { createShares } from '../random.mjs';
import { MIXES } from './mixes.mjs';
import { createCosts } from './model/costs.mjs';
import { Machine } from './model/machine.mjs';
import { LIMITS, ServingProcess } from './model/serving-process.mjs';
import { Simulation } from './model/simulation.mjs';
import { quantile } from './model/statistics.mjs';
import { Users } from './model/users.mjs';

/** The replicas that are simulated. All others have as many users, and are like these. */
const SIMULATED_REPLICAS = 2;

/** The defaults of a fleet. */
export const FLEET = {
  mix: 'browser',
  cdn: 0,
  /** The share of tickets whose file the process has not opened yet. */
  cold: 0.01,
  cores: 4,
  processes: 4,
  gigabits: 10,
  /** Until a bucket begins to answer, and the requests that it answers in a second: twenty prefixes of S3 do 5,500 each. */
  storeSeconds: 0.03,
  storePerSecond: 110_000,
  warmUpSeconds: 5,
  seconds: 15,
  seed: 1,
};

/**
 * Simulates replicas with so many users each. Returns what a replica does in a second, the quantiles of the seconds of all responses,
 * the share of views that failed, and how much of each limit is used.
 */
export function simulateFleet(costs, { users, ...options }) {
  const fleet = { ...FLEET, ...options };
  const { mix, cdn, cold, processes, warmUpSeconds, seconds, seed } = fleet;
  const nextShare = createShares(seed);
  const simulation = new Simulation();
  const drawCost = createCosts(costs, { nextShare, cold });
  const machines = Array.from({ length: SIMULATED_REPLICAS }, () => createReplica(simulation, { ...fleet, drawCost }));
  const serving = Array.from({ length: processes }, (_, at) => machines.map((machine) => machine.serving[at])).flat();
  let turn = 0;
  const processOf = () => serving[turn++ % serving.length];
  const all = new Users(simulation, { mix: MIXES[mix], count: users * SIMULATED_REPLICAS, cdn, processOf, nextShare });
  simulation.run(warmUpSeconds);
  const before = machines.map(readCounters);
  all.startMeasuring();
  simulation.run(warmUpSeconds + seconds);
  const totals = machines.map((machine, at) => subtract(readCounters(machine), before[at]));
  const perSecond = Object.fromEntries(
    Object.keys(totals[0]).map((name) => [
      name,
      total(totals.map((each) => each[name])) / seconds / SIMULATED_REPLICAS,
    ]),
  );
  return { events: simulation.count, ...summarise(all, perSecond), use: toUse(machines, perSecond, fleet) };
}

function createReplica(simulation, { processes, drawCost, storeSeconds, mix, cores, gigabits }) {
  const { clientMegabits } = MIXES[mix];
  const machine = new Machine(simulation, { cores, gigabits, clientMegabits });
  // As many worker threads in each process as there are processors, which is the default.
  const options = { machine, threads: cores, drawCost, storeSeconds };
  return { machine, serving: Array.from({ length: processes }, () => new ServingProcess(simulation, options)) };
}

function readCounters({ machine, serving }) {
  return {
    processors: machine.processors.served(),
    bytes: machine.sentBytes(),
    main: total(serving.map(({ busySeconds }) => busySeconds.main)),
    workers: total(serving.map(({ busySeconds }) => busySeconds.workers)),
    reads: total(serving.map(({ reads }) => reads)),
    responses: total(serving.map(({ responses }) => responses)),
  };
}

function summarise({ secondsByKind, failures }, perSecond) {
  const { view: views = [], ...kinds } = secondsByKind;
  const responses = Object.values(kinds).flat();
  const failed = failures / Math.max(1, failures + views.length);
  return { perSecond, p50: quantile(responses, 0.5), p99: quantile(responses, 0.99), failed };
}

/** Returns the share of each limit that is used: of what replicas can do in a second, and of the most that they admit at once. */
function toUse(machines, perSecond, { cores, gigabits }) {
  const [{ serving: one }] = machines;
  const peak = (name) => Math.max(...machines.flatMap(({ serving }) => serving.map(({ peaks }) => peaks[name])));
  return {
    processors: perSecond.processors / cores,
    'main threads': perSecond.main / one.length,
    'worker threads': perSecond.workers / (cores * one.length),
    network: (perSecond.bytes * 8) / (gigabits * 1e9),
    'parts that wait for workers': peak('waiting') / one[0].maxWaiting,
    slots: peak('working') / LIMITS.concurrency,
    connections: peak('connections') / LIMITS.connections,
    'requests that wait for the store': peak('atStore') / LIMITS.storeConcurrency,
  };
}

function subtract(after, before) {
  return Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - before[name]]));
}

function total(values) {
  return values.reduce((sum, value) => sum + value, 0);
}
