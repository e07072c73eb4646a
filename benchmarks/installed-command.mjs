// Programs that are peers where they are installed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { noteNotMeasured } from './not-measured.mjs';

/**
 * A program on PATH: its name and that with the version, such as "bgzip 1.16"; undefined where it is not installed, which
 * the run says at its end, with what it `needs`.
 */
export function findCommand(command, needs) {
  const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' });
  const version = /\d+(\.\d+)+/.exec(stdout ?? '');
  if (status === 0 && version !== null) return { command, name: `${command} ${version[0]}` };
  noteNotMeasured(command, needs);
  return undefined;
}

/** Runs a program to its end, from the start of its process; what it writes is dropped. */
export async function runCommand(command, args) {
  shell ??= spawn('sh', { stdio: ['pipe', 'pipe', 'inherit'] });
  const { stdin, stdout } = shell;
  stdin.write(`${[command, ...args].map(quote).join(' ')} </dev/null >/dev/null; echo $?\n`);
  for (const handle of [shell, stdin, stdout]) handle.ref();
  const [code] = await once(stdout, 'data');
  // So that this process ends when all is done, and with it the shell.
  for (const handle of [shell, stdin, stdout]) handle.unref();
  expectSuccess(command, Number(code));
}

/** Starts the programs: in a millisecond, where this process, with its memory of 400 MB, took eleven. */
let shell;

function quote(argument) {
  return `'${argument.replaceAll("'", "'\\''")}'`;
}

/** What a program writes. */
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
