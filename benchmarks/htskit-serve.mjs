// `htskit serve` in a separate process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withProcess } from './with-process.mjs';

/** Time between two looks at how many processes serve. */
const READY_MILLISECONDS = 100;
const COMMAND = fileURLToPath(new URL('../packages/server/dist/cli.js', import.meta.url));

/**
 * Serves the files of a folder in so many processes, or what `settings`, lines of the configuration, say. Returns the result of `use`,
 * which is called with the URL and the id of the process. Requests are not logged.
 */
export async function withHtskit(folder, use, { processes = 1, settings } = {}) {
  const config = join(folder, 'htskit.yaml');
  writeFileSync(config, `log: { access: false, level: error }\n${settings ?? ''}`);
  const args = [
    COMMAND,
    'serve',
    ...(settings === undefined ? [folder] : []),
    '--port',
    '0',
    '--config',
    config,
    '--processes',
    String(processes),
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return withProcess(child, async (exited) => {
    const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), exited]);
    const url = /^listening on (\S+)$/.exec(String(line))?.[1];
    if (url === undefined) throw new Error('htskit serve did not start');
    if (processes > 1) await allServe(url, processes);
    return use(url, child.pid);
  });
}

/** Resolves when so many processes serve: a connection stays with the process that has accepted it. */
export async function allServe(url, processes) {
  for (let isReady = false; !isReady; await wait(READY_MILLISECONDS)) {
    const response = await fetch(`${url}/metrics`);
    isReady = (await response.text()).includes(`\nhtskit_processes ${processes}\n`);
  }
}
