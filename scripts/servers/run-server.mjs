// Servers for tests: each in its own folder, on loopback, until standard input ends or the parent exits.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ATTEMPTS = 300;
const PAUSE_MILLISECONDS = 100;
const RESTARTS = 10;

/**
 * Calls `start` with an empty folder and functions that start processes, and prints its result as a line of JSON. Ends
 * the processes and removes the folder when standard input ends or a signal arrives.
 */
export async function runServer(start) {
  // The path of Debian's server programs.
  process.env.PATH += ':/usr/sbin:/sbin';
  const folder = mkdtempSync(join(tmpdir(), 'htskit-server-'));
  const children = [];
  const stop = () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  const keep = (command, args, restarts) => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder });
    child.on('error', (error) => fail(error));
    child.on('exit', (code) => {
      if (!children.includes(child)) return;
      if (restarts === 0) return fail(new Error(`${command} ended with ${code}`));
      children.splice(children.indexOf(child), 1);
      keep(command, args, restarts - 1);
    });
    children.push(child);
  };
  const daemon = (command, ...args) => keep(command, args, 0);
  const restarting = (command, ...args) => keep(command, args, RESTARTS);
  const fail = (error) => {
    stop();
    console.error(error.message);
    process.exit(1);
  };
  const finish = () => {
    stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, finish);
  process.stdin.on('end', finish).resume();
  try {
    console.log(JSON.stringify(await start({ folder, daemon, restarting, run: (...command) => run(folder, command) })));
  } catch (error) {
    fail(error);
  }
}

/** Returns the output of a command. Throws if it fails. */
function run(cwd, [command, ...args]) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Returns ports that were free a moment ago. */
export async function findPorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => server.address().port);
  for (const server of servers) server.close();
  return ports;
}

/** Calls a function until it returns true. Errors count as false. */
export async function waitUntil(what, isTrue) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (
      await Promise.resolve()
        .then(isTrue)
        .catch(() => false)
    )
      return;
    await sleep(PAUSE_MILLISECONDS);
  }
  throw new Error(`${what} did not happen in time`);
}
