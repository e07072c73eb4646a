// Compares the simulation with fleets on this machine, both under the same load.
import { availableParallelism } from 'node:os';
import { loadFleet, withFleets } from './fleets.mjs';
import { simulateLocalFleet } from './local-fleet.mjs';
import { measureCosts } from './measure-costs.mjs';
import { MIXES, meanView } from './mixes.mjs';
import { meanCosts } from './model/costs.mjs';
import { mean, median, quantile } from './model/statistics.mjs';

/** The simulation runs several times as long as the load, so that chance hardly matters. */
const SIMULATED_RUNS = 8;
const WARM_UP_SECONDS = 1;
/** Until the code of all processes is compiled, which takes each some seconds of a processor: users who hardly think. */
const FIRST_LOAD = { thinkSeconds: 0.02, seconds: 0.5, seed: 7 };
const FIRST_SECONDS = 2;
const FIRST_USERS = 8;
/** The mean time between two views of a user: short, so that few connections make a load. */
const THINK_SECONDS = 0.25;
const COSTS = { seconds: 1.5, samples: 60 };

/** What is compared of each run. */
export const FIGURES = {
  throughput: { unit: 'views/s', of: ({ secondsByKind }, seconds) => secondsByKind.view.length / seconds },
  'CPU time': { unit: 'processors', of: ({ serverSeconds }, seconds) => serverSeconds / seconds },
  p50: { unit: 'ms', of: ({ secondsByKind }) => 1000 * median(secondsByKind.view) },
  p99: { unit: 'ms', of: ({ secondsByKind }) => 1000 * quantile(secondsByKind.view, 0.99) },
};

/**
 * Measures the costs with a fleet of one process, and then loads fleets of so many processes in turns, `rounds` times. `loads` are
 * shares of the views that the processors can serve. Returns the `costs`, and cells
 * `{ processes, load, users, failures, model, measured }`, whose last two have a value for each of `FIGURES`.
 */
export function compareFleets({ mix, counts, loads, rounds, seconds, report }) {
  return withFleets(counts, async (services) => {
    for (const service of services) {
      const { processes } = service;
      const warmUpSeconds = FIRST_SECONDS * (1 + processes);
      await loadFleet(service, { ...FIRST_LOAD, mix, warmUpSeconds, users: FIRST_USERS * processes });
    }
    const kinds = MIXES[mix].view.map(({ kind }) => kind);
    const costs = await measureCosts(services[0], { ...COSTS, kinds });
    const cells = services.flatMap((service) =>
      loads.map((load) => createCell(service, costs, { mix, load, seconds })),
    );
    for (let round = 0; round < rounds; round += 1) {
      for (let turn = 0; turn < cells.length; turn += 1) {
        const { service, job, runs } = cells[(turn + round) % cells.length];
        runs.push(await loadFleet(service, { ...job, seed: 1 + round }));
        report?.(`round ${round + 1} of ${rounds}: ${turn + 1} of ${cells.length}`);
      }
    }
    return { costs, cells: cells.map((cell) => compareCell(cell, costs)) };
  });
}

function createCell(service, costs, { mix, load, seconds }) {
  const { processes } = service;
  const users = usersFor(costs, { mix, processes, load });
  const job = { mix, users, seconds, thinkSeconds: THINK_SECONDS, warmUpSeconds: WARM_UP_SECONDS };
  return { service, processes, load, job, runs: [] };
}

/** Returns the users who request a share of the views that the processors can serve, which their own process shares. */
function usersFor(costs, { mix, processes, load }) {
  const means = meanCosts(costs);
  const sums = { main: 0, all: 0, client: 0 };
  for (const [kind, count] of Object.entries(meanView(MIXES[mix]))) {
    const { main, workers, others, client } = means[kind];
    sums.main += count * main;
    sums.all += count * (main + workers + others + client);
    sums.client += count * client;
  }
  const perSecond = Math.min(processes / sums.main, availableParallelism() / sums.all, 1 / sums.client);
  return Math.max(1, Math.round(load * perSecond * (THINK_SECONDS + sums.all)));
}

function compareCell({ processes, load, job, runs }, costs) {
  const cores = availableParallelism();
  const simulated = Array.from({ length: SIMULATED_RUNS }, (_, run) =>
    simulateLocalFleet(costs, { ...job, cores, processes, threads: cores, seed: 100 + run }),
  );
  const combine = (all, of) =>
    Object.fromEntries(
      Object.entries(FIGURES).map(([name, figure]) => [name, of(all.map((run) => figure.of(run, job.seconds)))]),
    );
  const failures = runs.reduce((sum, run) => sum + run.failures, 0);
  return {
    processes,
    load,
    users: job.users,
    failures,
    model: combine(simulated, mean),
    measured: combine(runs, median),
  };
}
