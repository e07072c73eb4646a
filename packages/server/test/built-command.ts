import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
if (!existsSync(cli)) throw new Error('these tests run the built command: build first');

/** Starts the built command, which is killed after the test. */
export function htskit(...args: string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [cli, ...args]);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

interface StartedServer {
  readonly child: ChildProcessWithoutNullStreams;
  readonly url: string;
}

/** Starts a server on a free port and waits until it is ready. */
export async function start(...args: string[]): Promise<StartedServer> {
  return untilReady(htskit('serve', '--port', '0', ...args));
}

/** Starts a server as `start` does, from a shell that runs a script before, such as `ulimit -n 200`. */
export async function startAfter(script: string, ...args: readonly string[]): Promise<StartedServer> {
  const command = [process.execPath, cli, 'serve', '--port', '0', ...args];
  const child = spawn('sh', ['-c', `${script}\nexec "$@"`, 'sh', ...command]);
  onTestFinished(() => void child.kill('SIGKILL'));
  return untilReady(child);
}

async function untilReady(child: ChildProcessWithoutNullStreams): Promise<StartedServer> {
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const url = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1];
  if (url === undefined) throw new Error(`unexpected first line: ${line}`);
  return { child, url };
}
