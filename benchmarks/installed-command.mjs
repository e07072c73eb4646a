// Programs that take part as peers if they are installed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { noteNotMeasured } from './not-measured.mjs';

/**
 * Returns the name of a program on PATH, also with its version, such as "bgzip 1.16"; undefined if it is not installed.
 * The run reports that at its end, with what the program `needs`.
 */
export function findCommand(command, needs) {
  const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' });
  const version = /\d+(\.\d+)+/.exec(stdout ?? '');
  if (status === 0 && version !== null) return { command, name: `${command} ${version[0]}` };
  noteNotMeasured(command, needs);
  return undefined;
}

/** Runs a program to its end and measures from the start of its process. Its output is dropped. */
export async function runCommand(command, args) {
  const code = await askShell(`${[command, ...args].map(quote).join(' ')} </dev/null >/dev/null; echo $?`);
  expectSuccess(command, Number(code));
}

/** Like `runCommand`. Returns the seconds that the program has run, in user and kernel mode, in hundredths. */
export async function cpuSecondsOf(command, args) {
  const before = await childSeconds();
  await runCommand(command, args);
  return (await childSeconds()) - before;
}

/** The second line of `times` is that of the programs that the shell has run, such as "0m1.250000s 0m0.120000s". */
async function childSeconds() {
  const [, children = ''] = (await askShell('times')).split('\n');
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + 60 * Number(m) + Number(s), 0);
}

/** Runs a line in the shell and returns what it prints at its end. */
async function askShell(line) {
  shell ??= spawn('sh', { stdio: ['pipe', 'pipe', 'inherit'] });
  const { stdin, stdout } = shell;
  stdin.write(`${line}\n`);
  for (const handle of [shell, stdin, stdout]) handle.ref();
  const [output] = await once(stdout, 'data');
  // So that this process, and with it the shell, can exit when the work is done.
  for (const handle of [shell, stdin, stdout]) handle.unref();
  return output.toString();
}

/** Starts the programs: in one millisecond, while this process, with its memory of 400 MB, took eleven. */
let shell;

function quote(argument) {
  return `'${argument.replaceAll("'", "'\\''")}'`;
}

/** Returns the output of a program. */
export async function* outputOf(command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  yield* child.stdout;
  const [code] = await exited;
  expectSuccess(command, code);
}

function expectSuccess(command, code) {
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
}
