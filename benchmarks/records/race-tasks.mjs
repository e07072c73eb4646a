// Runs tasks in processes of their own, in turns.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { throughputRows } from '../harness.mjs';
import { cpuSecondsOf } from '../installed-command.mjs';
import { smallerRows } from '../turns.mjs';

const RUN_TASK = fileURLToPath(new URL('run-task.mjs', import.meta.url));
const ROUNDS = 3;

/** Returns a contender that runs a task of tasks/MODULE.mjs. */
export function nodeTask(name, [module, task], options) {
  const args = ['--no-warnings', RUN_TASK, module, task, JSON.stringify(options)];
  return { name, measure: async () => JSON.parse(await outputOfProcess(process.execPath, args)) };
}

/** Returns a contender that runs a program that prints what a task takes, as run-task.mjs does. */
export function programTask(name, command, args) {
  return { name, measure: async () => JSON.parse(await outputOfProcess(command, args)) };
}

/** Returns a contender that runs a program, whose output is dropped. Its time is that of the whole process. */
export function wholeProcess(name, command, args) {
  return {
    name,
    async measure() {
      const seconds = await cpuSecondsOf(command, args);
      return { runs: [{ cpuSeconds: seconds, busiestSeconds: seconds }] };
    },
  };
}

/** Runs all contenders for three rounds, each of which begins with another one. Contenders that are undefined are left out. */
export async function raceTasks(contenders) {
  const raced = contenders
    .filter((each) => each !== undefined)
    .map(({ name, measure }) => ({ name, measure, results: [] }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let turn = 0; turn < raced.length; turn += 1) {
      const { measure, results } = raced[(round + turn) % raced.length];
      results.push(await measure());
    }
  }
  return raced;
}

/** The CPU time of all threads, that of the busiest one, and the time of the second run for the same open file. */
export const MEASURES = {
  cpu: ({ runs }) => runs[0].cpuSeconds,
  busiest: ({ runs }) => runs[0].busiestSeconds,
  warm: ({ runs }) => runs[1]?.cpuSeconds,
  peak: ({ peakBytes }) => peakBytes,
  stall: ({ runs }) => runs[0].stallMilliseconds,
};

/** Returns a row for each budget, `{ peer, budget }`, whose peer took part; `peer` is the beginning of its name. */
export function speedRows({ budgets, measure = MEASURES.cpu, ...work }, raced) {
  const [ours, ...peers] = mediansOf(raced, measure);
  const asked = budgets.flatMap(({ peer, budget }) => {
    const name = peers.find((each) => each.name.startsWith(peer))?.name;
    return name === undefined ? [] : [{ peers: [name], budget }];
  });
  return throughputRows({ ...work, budgets: asked }, { ours, peers, equal: areEqual(raced) });
}

/** Like `speedRows`, for what is better if it is smaller; the unit is `scale`. */
export function amountRows({ name, unit, scale, budgets, measure }, raced) {
  const amounts = mediansOf(raced, measure).map((each) => [each.name, each.seconds / scale]);
  const budgetOf = (peer) => budgets.find((each) => peer.startsWith(each.peer))?.budget;
  const byPeer = Object.fromEntries(amounts.map(([peer]) => [peer, budgetOf(peer)]));
  return smallerRows({ name, unit, budgets: byPeer, equal: areEqual(raced) }, amounts);
}

/** Contenders without the measure are left out. */
function mediansOf(raced, measure) {
  const all = raced.map(({ name, results }) => ({ name, seconds: median(results.map(measure)) }));
  return all.filter(({ seconds }) => seconds !== undefined);
}

/** Programs that print no sums do other work. */
function areEqual(raced) {
  const sums = raced.flatMap(({ results }) => results).flatMap(({ runs }) => runs.map((run) => run.sums));
  return new Set(sums.filter((each) => each !== undefined).map((each) => JSON.stringify(each))).size <= 1;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

async function outputOfProcess(command, args) {
  const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 2 ** 24 });
  return stdout;
}
