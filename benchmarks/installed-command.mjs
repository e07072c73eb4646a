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
  shell ??= spawn('sh', { stdio: ['pipe', 'pipe', 'inherit'] });
  const { stdin, stdout } = shell;
  stdin.write(`${[command, ...args].map(quote).join(' ')} </dev/null >/dev/null; echo $?\n`);
  for (const handle of [shell, stdin, stdout]) handle.ref();
  const [code] = await once(stdout, 'data');
  // So that this process, and with it the shell, can exit when the work is done.
  for (const handle of [shell, stdin, stdout]) handle.unref();
  expectSuccess(command, Number(code));
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
