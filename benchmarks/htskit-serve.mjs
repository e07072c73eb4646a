// `htskit serve` in a separate process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { withProcess } from './with-process.mjs';

const COMMAND = fileURLToPath(new URL('../packages/server/dist/cli.js', import.meta.url));

/** Serves the files of a folder. Returns the result of `use`, which is called with the URL and the id of the process. Requests are not logged. */
export async function withHtskit(folder, use) {
  const config = join(folder, 'htskit.yaml');
  writeFileSync(config, 'log: { access: false, level: error }\n');
  const args = [COMMAND, 'serve', folder, '--port', '0', '--config', config];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return withProcess(child, async (exited) => {
    const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), exited]);
    const url = /^listening on (\S+)$/.exec(String(line))?.[1];
    if (url === undefined) throw new Error('htskit serve did not start');
    return use(url, child.pid);
  });
}
