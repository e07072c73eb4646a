// Checks `npm start` as a newcomer runs it: the address is printed, the fixtures are served, and SIGTERM ends it with 0. Started
// again, it neither installs nor builds anything.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Starts the server, checks what it serves, and ends it. Returns what it wrote to stderr. */
async function checkStart() {
  const start = spawn('npm', ['start', '--', '--port', '0'], {
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(start, 'exit');
  // A failed check must not leave the server running.
  process.once('exit', () => start.kill());
  let log = '';
  start.stderr.on('data', (chunk) => {
    log += chunk;
    process.stderr.write(chunk);
  });
  for await (const line of createInterface({ input: start.stdout })) {
    const [, address] = /^listening on (http:.+)$/.exec(line) ?? [];
    if (address === undefined) continue;
    const response = await fetch(`${address}/reads/reads?referenceName=chr1&start=0&end=1000`);
    const { htsget } = await response.json();
    if (htsget?.format !== 'BAM')
      throw new Error(`no ticket for a region of fixtures/reads.bam: status ${response.status}`);
    start.kill('SIGTERM');
  }
  const [code] = await exit;
  if (code !== 0) throw new Error(`npm start exited with ${code}`);
  return log;
}

await checkStart();
const [repeated] = /^(?:installing|building).*$/m.exec(await checkStart()) ?? [];
if (repeated !== undefined) throw new Error(`npm start repeats a step: ${repeated}`);
console.log('npm start serves the fixtures, and does nothing twice');
