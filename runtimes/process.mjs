import { join } from 'node:path';
import { runCommand } from './command.mjs';
import { startListener } from './listener.mjs';

const TIMEOUT_SECONDS = 120;

/** A runtime that takes a script and prints. It listens with each of `servers`, the names of entries. */
export async function openProcess({ binary, args, tree, servers }) {
  const entry = (name) => [...args, join(tree, 'suite', 'entries', `${name}.mjs`)];
  const options = { cwd: tree, env: environmentOf(tree), timeoutSeconds: TIMEOUT_SECONDS };
  const listeners = [];
  try {
    for (const { name } of servers) listeners.push(await startListener(binary, entry(`serve-${name}`), options));
  } catch (error) {
    await closeAll(listeners);
    throw error;
  }
  return {
    origins: servers.map((server, index) => ({ ...server, origin: listeners[index].origin })),
    run: async (services, what = 'all') =>
      JSON.parse(await runCommand(binary, [...entry('process'), what, String(new URLSearchParams(services))], options)),
    startExample: ({ path }) => startListener(binary, [...args, path], options),
    close: () => closeAll(listeners),
  };
}

function environmentOf(tree) {
  return { PATH: process.env.PATH, HOME: tree, DENO_DIR: join(tree, '.deno'), DENO_NO_UPDATE_CHECK: '1' };
}

function closeAll(listeners) {
  return Promise.all(listeners.map((listener) => listener.close()));
}
