// Runs the commands in the README of an example, and compares what they print.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, startCommand } from '../../runtimes/command.mjs';

const TIMEOUT_MILLISECONDS = 60_000;
const SESSION_TIMEOUT_SECONDS = 300;
const PAUSE_MILLISECONDS = 50;
const END = '<the command has ended>';
/** The command that runs until it is stopped. */
const SERVER = 'npm start';

/** Returns `{ command, output }` of each `console` block of a README; `…` stands for anything in a line. */
function readSteps(folder) {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  return Array.from(readme.matchAll(/^```console\n(.*?)^```$/gms), ([, block]) => block)
    .flatMap((block) => block.split(/^\$ /m).slice(1))
    .map((step) => {
      const [command, ...output] = step.trimEnd().split('\n');
      return { command, output };
    });
}

function toPattern(lines) {
  const escaped = lines.map((line) => `${line.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*')}\n`);
  return escaped.join('');
}

/**
 * Runs the README of an example in its folder: the server in the background, everything else in one shell. Calls `use`
 * before the server is stopped. Returns the number of commands; throws if one prints something else.
 */
export async function runSession(folder, environment, use) {
  const steps = readSteps(folder);
  if (steps.length === 0) throw new Error('its README has no console block');
  const server = steps.find(({ command }) => command === SERVER);
  const before = server === undefined ? [] : steps.slice(0, steps.indexOf(server));
  await runInShell(before, folder, environment);
  const child = server && startCommand('npm', ['start'], { cwd: folder, env: environment });
  try {
    if (child !== undefined) await waitForOutput(child, new RegExp(toPattern(server.output)));
    await runInShell(steps.slice(before.length + (server === undefined ? 0 : 1)), folder, environment);
    await use?.();
  } catch (error) {
    throw new Error(`${error.message}${child?.tail() ?? ''}`, { cause: error });
  } finally {
    child?.stop();
    await child?.ended;
  }
  return steps.length;
}

async function waitForOutput(child, pattern) {
  const deadline = performance.now() + TIMEOUT_MILLISECONDS;
  while (child.isRunning() && performance.now() < deadline) {
    // Terminals would interpret the escape sequences of colours.
    if (pattern.test(stripColours(child.tail()))) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
  }
  throw new Error(`${SERVER} did not print ${pattern.source}`);
}

function stripColours(text) {
  return `${text.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g'), '')}\n`;
}

async function runInShell(steps, folder, environment) {
  if (steps.length === 0) return;
  const script = `exec 2>&1\n${steps.map(({ command }) => `${command}\necho '${END}'\n`).join('')}`;
  const options = { cwd: folder, env: environment, timeoutSeconds: SESSION_TIMEOUT_SECONDS };
  const printed = await runCommand('bash', ['-c', script], options);
  const outputs = printed.split(`${END}\n`);
  for (const [index, { command, output }] of steps.entries()) {
    const found = stripColours(outputs[index] ?? '').slice(0, -1);
    if (new RegExp(`^${toPattern(output)}$`).test(found)) continue;
    throw new Error(`$ ${command}\nprinted\n${found}instead of\n${output.join('\n')}`);
  }
}
