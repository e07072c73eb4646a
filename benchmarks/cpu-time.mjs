// The CPU time of another process (Linux).
import { readdirSync, readFileSync } from 'node:fs';

/** Returns the seconds that all living threads of a process have run, in user and kernel mode. */
export function cpuSeconds(pid) {
  const tasks = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(tasks).map((task) => {
    const [running] = readFileSync(`${tasks}/${task}/schedstat`, 'latin1').split(' ');
    return Number(running);
  });
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e9;
}
