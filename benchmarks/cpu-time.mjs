// The CPU time of another process (Linux).
import { readdirSync, readFileSync } from 'node:fs';

/** Returns the seconds that all living threads of a process have run, in user and kernel mode. */
export function cpuSeconds(pid) {
  return readThreads(pid).reduce((sum, { seconds }) => sum + seconds, 0);
}

/**
 * Returns the seconds that the living threads of `htskit serve` have run: the main thread; the workers, which are those of a lower
 * priority; and all others, which read files, compile code and collect garbage.
 */
export function cpuSecondsByRole(pid) {
  const sums = { main: 0, workers: 0, others: 0 };
  for (const { id, seconds } of readThreads(pid)) {
    if (id === pid) sums.main += seconds;
    else sums[nicenessOf(pid, id) > 0 ? 'workers' : 'others'] += seconds;
  }
  return sums;
}

/** Returns the serving processes of `htskit serve`: its children, or itself if it has none. */
export function servingProcesses(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
  return children === '' ? [pid] : children.split(' ').map(Number);
}

function readThreads(pid) {
  return readdirSync(`/proc/${pid}/task`).map((task) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'latin1').split(' ');
    return { id: Number(task), seconds: Number(nanoseconds) / 1e9 };
  });
}

/** The name of a thread, in parentheses, may contain spaces. The fields after it begin with number 3 (proc_pid_stat(5)). */
function nicenessOf(pid, thread) {
  const [, fields] = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1').split(/^.*\) /s);
  return Number(fields.split(' ')[16]);
}
