// node run-task.mjs MODULE TASK OPTIONS: runs a task of tasks/MODULE.mjs in a process of its own, as its user would, and prints what
// it takes, as JSON. With `times: 2` in the options it is run again for the same open file.
import { readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const [, , module, name, json] = process.argv;
const options = JSON.parse(json);
const { [name]: open } = await import(`./tasks/${module}.mjs`);
const runs = [];
let run;
for (let time = 0; time < (options.times ?? 1); time += 1) {
  const [before, threads] = [process.cpuUsage(), threadSeconds()];
  const delay = options.isWatched ? monitorEventLoopDelay({ resolution: 1 }) : undefined;
  delay?.enable();
  run ??= await open(options);
  const sums = await run();
  delay?.disable();
  const { user, system } = process.cpuUsage(before);
  const seconds = [...threadSeconds()].map(([thread, until]) => until - (threads.get(thread) ?? 0));
  runs.push({
    sums,
    cpuSeconds: (user + system) / 1e6,
    busiestSeconds: Math.max(...seconds),
    stallMilliseconds: delay === undefined ? undefined : delay.max / 1e6,
  });
}
console.log(JSON.stringify({ runs, peakBytes: 1024 * process.resourceUsage().maxRSS }));
process.exit();

/** The seconds that each thread of this process has run (Linux). */
function threadSeconds() {
  const threads = readdirSync('/proc/self/task').map((thread) => {
    const [running] = readFileSync(`/proc/self/task/${thread}/schedstat`, 'latin1').split(' ');
    return [thread, Number(running) / 1e9];
  });
  return new Map(threads);
}
