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
/** The load under which the code of a process is compiled: users who hardly think. Each has as many of them, for as long. */
const FIRST_LOAD = { thinkSeconds: 0.02, warmUpSeconds: 0.1, seed: 7 };
const FIRST_SECONDS = 2;
const FIRST_USERS = 8;
/** Code is compiled once so many loads in a row take no less processor time for a view. */
const STEADY_LOADS = 2;
const STEADY = 0.97;
const MAX_LOADS = 12;
/** The mean time between two views of a user: short, so that few connections make a load. */
const THINK_SECONDS = 0.25;
const COSTS = { seconds: 1.5, samples: 60 };

/** The processors that other programs may use during a run that counts. */
const FOREIGN_PROCESSORS = 0.1;
/** Enough of these runs end the loading of a fleet. */
const QUIET_RUNS = 3;

/** What is compared of each run. */
export const FIGURES = {
  throughput: { unit: 'views/s', of: ({ secondsByKind }, seconds) => secondsByKind.view.length / seconds },
  'CPU time': { unit: 'processors', of: ({ serverSeconds }, seconds) => serverSeconds / seconds },
  p50: { unit: 'ms', of: ({ secondsByKind }) => 1000 * median(secondsByKind.view) },
  p99: { unit: 'ms', of: ({ secondsByKind }) => 1000 * quantile(secondsByKind.view, 0.99) },
};

/**
 * Measures the costs with a fleet of one process, and then loads fleets of so many processes in turns, `rounds` times at most. `loads` are
 * shares of the views that the processors can serve. Returns the `costs`, and cells
 * `{ processes, load, users, quietRuns, failures, model, measured }`, whose last two have a value for each of `FIGURES`.
 */
export function compareFleets({ mix, counts, loads, rounds, seconds, report }) {
  return withFleets(counts, async (services) => {
    for (const service of services) await compileCode(service, mix);
    const kinds = MIXES[mix].view.map(({ kind }) => kind);
    const costs = await measureCosts(services[0], { ...COSTS, kinds });
    const cells = services.flatMap((service) =>
      loads.map((load) => createCell(service, costs, { mix, load, seconds })),
    );
    for (let round = 0; round < rounds; round += 1) {
      for (let turn = 0; turn < cells.length; turn += 1) {
        const { service, job, runs } = cells[(turn + round) % cells.length];
        if (runs.filter((run) => isQuiet(run, job)).length === QUIET_RUNS) continue;
        runs.push(await loadFleet(service, { ...job, seed: 1 + round }));
        report?.(`round ${round + 1} of ${rounds}: ${turn + 1} of ${cells.length}`);
      }
    }
    return { costs, cells: cells.map((cell) => compareCell(cell, costs)) };
  });
}

/** Loads a fleet until the compilers of all its processes have nothing left to do, which takes each some thousands of views. */
async function compileCode(service, mix) {
  const { processes } = service;
  const job = { ...FIRST_LOAD, mix, seconds: FIRST_SECONDS * processes, users: FIRST_USERS * processes };
  let least = Infinity;
  let steadyLoads = 0;
  for (let load = 0; load < MAX_LOADS && steadyLoads < STEADY_LOADS; load += 1) {
    const { serverSeconds, secondsByKind } = await loadFleet(service, job);
    const perView = serverSeconds / secondsByKind.view.length;
    steadyLoads = perView > STEADY * least ? steadyLoads + 1 : 0;
    least = Math.min(least, perView);
  }
}

function isQuiet({ foreignSeconds }, { seconds }) {
  return foreignSeconds <= FOREIGN_PROCESSORS * seconds;
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

/** Runs that other programs disturbed count only if there are no others. */
function compareCell({ processes, load, job, runs }, costs) {
  const cores = availableParallelism();
  const simulated = Array.from({ length: SIMULATED_RUNS }, (_, run) =>
    simulateLocalFleet(costs, { ...job, cores, processes, threads: cores, seed: 100 + run }),
  );
  const combine = (all, of) =>
    Object.fromEntries(
      Object.entries(FIGURES).map(([name, figure]) => [name, of(all.map((run) => figure.of(run, job.seconds)))]),
    );
  const quiet = runs.filter((run) => isQuiet(run, job));
  const counted = quiet.length > 0 ? quiet : runs;
  const failures = counted.reduce((sum, run) => sum + run.failures, 0);
  const compared = { model: combine(simulated, mean), measured: combine(counted, median) };
  return { processes, load, users: job.users, quietRuns: quiet.length, failures, ...compared };
}
