// The fleet of the check, simulated: processes on one machine, which the process of the clients shares.
import { createShares } from '../random.mjs';
import { MIXES } from './mixes.mjs';
import { createCosts } from './model/costs.mjs';
import { MAIN, Machine } from './model/machine.mjs';
import { ServingProcess } from './model/serving-process.mjs';
import { Simulation } from './model/simulation.mjs';
import { Users } from './model/users.mjs';

/**
 * Simulates users of so many processes. `factors` are those of single requests, by role. Returns the seconds of each response by kind, the processor seconds of the server and of the
 * clients, and the responses that failed, all within `seconds` after the warm-up.
 */
export function simulateLocalFleet(
  costs,
  { factors, cores, processes, threads, mix, users, thinkSeconds, warmUpSeconds, seconds, seed },
) {
  const nextShare = createShares(seed);
  const simulation = new Simulation();
  // Nothing leaves the machine: the bandwidth is unlimited.
  const machine = new Machine(simulation, { cores, gigabits: 1e6, clientMegabits: 1e6 });
  const clients = createClients(machine);
  const drawCost = createCosts(costs, { nextShare, factors });
  const options = { machine, threads, drawCost, receiver: clients };
  const serving = Array.from({ length: processes }, () => new ServingProcess(simulation, options));
  const processOf = (user) => serving[user % processes];
  const all = new Users(simulation, { mix: MIXES[mix], count: users, thinkSeconds, processOf, nextShare });
  simulation.run(warmUpSeconds);
  const [processorsBefore, clientsBefore] = [machine.processors.served(), clients.seconds];
  all.startMeasuring();
  simulation.run(warmUpSeconds + seconds);
  const clientSeconds = clients.seconds - clientsBefore;
  return {
    secondsByKind: all.secondsByKind,
    failures: all.failures,
    serverSeconds: machine.processors.served() - processorsBefore - clientSeconds,
    clientSeconds,
  };
}

/** The process of the clients has one thread, which takes part in each response. */
function createClients(machine) {
  const thread = machine.createThreads(MAIN, 1);
  return {
    seconds: 0,
    send({ client }, done) {
      this.seconds += client;
      thread.run(client, done);
    },
  };
}
