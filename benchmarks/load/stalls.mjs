// Sends each kind of request once to `htskit serve`, with generated files of unusual sizes, and prints the longest stall of its event
// loop, and the most processor time between two turns: node benchmarks/load/stalls.mjs [--command FILE]. A second request for the same
// file finds its header and index in the cache.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeUnusualFiles } from '../unusual-files.mjs';

const fromHere = (path) => fileURLToPath(new URL(path, import.meta.url));
const MONITOR = fromHere('./stall-monitor.mjs');
const REGIONS = 1000;
const BODY_BYTES = 1_048_000;
/** Time for what a request leaves behind, such as the collection of garbage. */
const AFTERWARDS_MILLISECONDS = 300;

const { values } = parseArgs({
  options: { command: { type: 'string', default: fromHere('../../packages/server/dist/cli.js') } },
});

const folder = mkdtempSync(join(tmpdir(), 'htskit-stalls-'));
try {
  await writeUnusualFiles(folder);
  const args = ['--import', MONITOR, values.command, 'serve', folder, '--port', '0'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] });
  try {
    const [line] = await once(createInterface(child.stdout), 'line');
    const url = line.replace('listening on ', '');
    process.stdout.write(`${'request'.padEnd(52)} status       ms  stall ms   cpu ms\n`);
    await readStall(child);
    for (const [name, path, init] of requests()) await measure(child, name, url + path, init);
    for (const [name, path] of [
      ['a whole BAM of 20 MB', '/reads/reads'],
      ['the same, rewritten', '/reads/reads?tags=NM'],
    ]) {
      const { htsget } = await (await fetch(url + path)).json();
      const block = htsget.urls.findLast((part) => part.url.startsWith('http') && part.class !== 'header');
      await measure(child, name, block.url);
    }
  } finally {
    child.kill('SIGKILL');
  }
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(child, name, url, init) {
  const started = performance.now();
  const response = await fetch(url, init);
  await response.arrayBuffer();
  const milliseconds = performance.now() - started;
  await wait(AFTERWARDS_MILLISECONDS);
  const { elapsed, cpu = Number.NaN } = await readStall(child);
  const cells = [response.status, ...[milliseconds, elapsed, cpu].map(Math.round)];
  process.stdout.write(`${name.padEnd(52)} ${cells.map((cell) => String(cell).padStart(6)).join('   ')}\n`);
}

async function readStall(child) {
  child.send('read');
  const [stall] = await once(child, 'message');
  return stall;
}

function requests() {
  const region = '?referenceName=chr1&start=1000000&end=1010000';
  const json = (body) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const regions = Array.from({ length: REGIONS }, (_, at) => ({
    referenceName: 'chr1',
    start: at * 10_000,
    end: at * 10_000 + 1000,
  }));
  const first = {
    'a ticket of a region': [`/reads/reads${region}`],
    '1 MiB of JSON': ['/reads/reads', json(`{"x":[${'0,'.repeat((BODY_BYTES - 8) / 2)}0]}`)],
    '1,000 regions': ['/reads/reads', json(JSON.stringify({ regions }))],
    'a BAI of 9 MB': [`/reads/bai${region}`],
    'a CSI of 16 MB': [`/reads/csi${region}`],
    'a TBI of 13 MB': [`/variants/tbi${region}`],
    'a CRAI of 1,000,000 lines': [`/reads/crai?format=CRAM&referenceName=chr1`],
    'a BAM of 1,000,000 references': ['/reads/references?referenceName=r1'],
    'the header of that BAM': ['/reads/references?class=header'],
    'a VCF header of 400,000 lines': ['/variants/header'],
    'a BCF header of 400,000 lines': ['/variants/dictionary?format=BCF'],
  };
  return Object.entries(first).flatMap(([name, request]) => [
    [name, ...request],
    [`${name}, again`, ...request],
  ]);
}
