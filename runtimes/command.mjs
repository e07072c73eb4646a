import { spawn } from 'node:child_process';

/** Characters of a command's output in an error message. */
const TAIL_CHARACTERS = 4_000;

/** Kills running commands. Each has its own process group, which must not outlive this process. */
const stops = new Set();
process.prependOnceListener('exit', () => {
  for (const stop of stops) stop();
});

/** Returns the standard output of a command. Throws if it fails, or takes longer than `timeoutSeconds`. */
export async function runCommand(command, args, { timeoutSeconds, ...options }) {
  const child = startCommand(command, args, options);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.stop();
  }, timeoutSeconds * 1000);
  const code = await child.ended.finally(() => clearTimeout(timer));
  if (timedOut) throw new Error(`no answer within ${timeoutSeconds} s${child.tail()}`);
  if (code !== 0) throw new Error(`exited with ${code}${child.tail()}`);
  return child.output();
}

/** Starts a command that runs until it is stopped, together with all processes that it starts. */
export function startCommand(command, args, options) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const stop = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The process has already exited.
    }
  };
  stops.add(stop);
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      stops.delete(stop);
      resolve(code ?? signal);
    });
  });
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const tail = () => `\n${stdout}${stderr}`.trimEnd().slice(-TAIL_CHARACTERS);
  return { stop, ended, isRunning, output: () => stdout, tail };
}
