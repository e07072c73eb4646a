// Compares the simulation with fleets on this machine, both under the same load.
import { availableParallelism } from 'node:os';
import { loadFleet, withFleets } from './fleets.mjs';
import { simulateLocalFleet } from './local-fleet.mjs';
import { measureCosts } from './measure-costs.mjs';
import { MIXES, meanView } from './mixes.mjs';
import { meanCosts, toFactors } from './model/costs.mjs';
import { mean, median, quantile } from './model/statistics.mjs';

/** Each run is simulated so often, so that chance matters less. */
const SIMULATIONS = 4;
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
const COSTS = { seconds: 1.5, samples: 200 };

/** The processors that other programs may use during a run that counts. */
const FOREIGN_PROCESSORS = 0.1;
/** Enough of these runs end the loading of a fleet. */
const QUIET_RUNS = 3;

/**
 * What is compared of each run. Its processor time is an input: the same load takes up to 1.7 times as much within minutes, and up to
 * three times as much for a view if the processes have little to do.
 */
export const FIGURES = {
  throughput: { unit: 'views/s', of: ({ secondsByKind }, seconds) => secondsByKind.view.length / seconds },
  p50: { unit: 'ms', of: ({ secondsByKind }) => 1000 * median(secondsByKind.view) },
  p99: { unit: 'ms', of: ({ secondsByKind }) => 1000 * quantile(secondsByKind.view, 0.99) },
};

/**
 * Measures the costs with a fleet of one process, and then loads fleets of so many processes in turns, `rounds` times at most. `loads` are
 * shares of the views that the processors can serve. Returns the `costs`, and cells
 * `{ processes, load, users, quietRuns, failures, processors, model, measured }`, whose last two have a value for each of `FIGURES`.
 */
export function compareFleets({ mix, counts, loads, rounds, seconds, report }) {
  return withFleets([1, ...counts.filter((count) => count !== 1)], async (services) => {
    for (const service of services) await compileCode(service, mix);
    const costs = await measureCosts(services[0], { ...COSTS, mix: MIXES[mix] });
    const compared = services.filter(({ processes }) => counts.includes(processes));
    const cells = compared.flatMap((service) =>
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
  return { service, load, job, runs: [] };
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
function compareCell({ service, load, job, runs }, costs) {
  const quiet = runs.filter((run) => isQuiet(run, job));
  const counted = quiet.length > 0 ? quiet : runs;
  const simulated = counted.map((run) => simulateRun(run, costs, { ...job, processes: service.processes }));
  const meansOf = (all) =>
    Object.fromEntries(
      Object.entries(FIGURES).map(([name, figure]) => [name, mean(all.map((run) => figure.of(run, job.seconds)))]),
    );
  return {
    processes: service.processes,
    load,
    users: job.users,
    quietRuns: quiet.length,
    failures: counted.reduce((sum, run) => sum + run.failures, 0),
    processors: mean(counted.map(({ serverSeconds }) => serverSeconds / job.seconds)),
    model: meansOf(simulated.flat()),
    measured: meansOf(counted),
  };
}

/** Simulates the users of a run, whose requests take the processor time that those of the run took. */
function simulateRun({ secondsByKind, secondsByRole, clientSeconds }, costs, job) {
  const counts = Object.fromEntries(Object.keys(costs).map((kind) => [kind, secondsByKind[kind]?.length ?? 0]));
  const factors = toFactors(costs, { counts, seconds: { ...secondsByRole, client: clientSeconds } });
  const cores = availableParallelism();
  return Array.from({ length: SIMULATIONS }, (_, run) =>
    simulateLocalFleet(costs, { ...job, factors, cores, threads: cores, seed: 100 + run }),
  );
}
