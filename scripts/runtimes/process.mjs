import { join } from 'node:path';
import { runCommand } from './command.mjs';

/** Runs the suite in a runtime that takes a script and prints. */
export async function runAsProcess({ binary, args, tree }) {
  const environment = { PATH: process.env.PATH, HOME: tree, DENO_DIR: join(tree, '.deno'), DENO_NO_UPDATE_CHECK: '1' };
  const script = join(tree, 'suite', 'entries', 'process.mjs');
  const output = await runCommand(binary, [...args, script], { cwd: tree, env: environment, timeoutSeconds: 60 });
  return JSON.parse(output);
}
