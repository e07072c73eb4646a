// Does load starve the server? Serves a generated BAM file, loads it with many connections from a second process, and measures
// how long /healthz takes on new connections meanwhile.
//
// node scripts/load/starvation.mjs [--connections 1000] [--seconds 10] [--hammer] [tickets|slices|blocks|mixed …]
// Clients that get 503 wait as long as Retry-After says, unless --hammer is given. --command runs another build.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeBam } from '../../benchmarks/write-bam.mjs';

const { values, positionals } = parseArgs({
  options: {
    connections: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '10' },
    hammer: { type: 'boolean', default: false },
    command: { type: 'string', default: fileURLToPath(new URL('../../packages/server/dist/cli.js', import.meta.url)) },
  },
  allowPositionals: true,
});
const CLIENTS = fileURLToPath(new URL('./clients.mjs', import.meta.url));
const PROBE_MILLISECONDS = 50;
const BAM = { length: 20_000_000, count: 1, longest: 1000 };
/** Bases of the region that clients request. */
const REGION_BASES = 10_000;

/** Returns the milliseconds that a request on a new connection takes. */
function probe(url) {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    get(`${url}/healthz`, { agent: false }, (response) => {
      response.resume().on('end', () => resolve(performance.now() - started));
    }).on('error', reject);
  });
}

async function fetchBlockPath(url, query) {
  const ticket = await (await fetch(`${url}/reads/sliced?format=BAM${query}`)).json();
  const block = ticket.htsget.urls.find((part) => part.class === 'body' && part.url.startsWith('http'));
  return new URL(block.url).pathname;
}

/** Returns the paths that clients request in each scenario. */
async function scenariosOf(url, { referenceName, start }) {
  const regionQuery = `&referenceName=${referenceName}&start=${start}&end=${start + REGION_BASES}`;
  const tickets = [`/reads/sliced?format=BAM${regionQuery}`];
  const slices = [await fetchBlockPath(url, regionQuery)];
  const blocks = [await fetchBlockPath(url, `&tags=NM`)];
  return { tickets, slices, blocks, mixed: [...tickets, ...slices, ...blocks] };
}

function residentMegabytes(pid) {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(match?.[1] ?? 0) / 1024);
}

async function measure(url, paths, pid) {
  const { connections, seconds } = values;
  const patience = values.hammer ? 'hammer' : 'wait';
  const clients = spawn(process.execPath, [CLIENTS, url, connections, seconds, patience, ...paths], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = once(createInterface(clients.stdout), 'line');
  const probes = [];
  const running = new Set();
  let isRunning = true;
  let resident = 0;
  const ended = line.then(([text]) => {
    isRunning = false;
    return JSON.parse(String(text));
  });
  while (isRunning) {
    const probing = probe(url).then(
      (milliseconds) => probes.push(milliseconds),
      () => probes.push(Number.POSITIVE_INFINITY),
    );
    running.add(probing);
    probing.finally(() => running.delete(probing));
    resident = Math.max(resident, residentMegabytes(pid));
    await wait(PROBE_MILLISECONDS);
  }
  const result = await ended;
  await Promise.all(running);
  probes.sort((a, b) => a - b);
  const at = (share) => Math.round(probes[Math.floor(share * (probes.length - 1))] ?? 0);
  return { ...result, resident, probes: { count: probes.length, p50: at(0.5), p99: at(0.99), worst: at(1) } };
}

const folder = mkdtempSync(join(tmpdir(), 'htskit-load-'));
try {
  const files = join(folder, 'files');
  mkdirSync(files);
  const { regions } = await writeBam(files, 'sliced', BAM);
  const config = join(folder, 'htskit.yaml');
  writeFileSync(config, 'log: { access: false, level: error }\n');
  const args = [values.command, 'serve', files, '--port', '0', '--config', config];
  const server = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [ready] = await once(createInterface(server.stdout), 'line');
    const url = /^listening on (\S+)$/.exec(String(ready))?.[1];
    const scenarios = await scenariosOf(url, regions[0].region);
    const names = positionals.length > 0 ? positionals : Object.keys(scenarios);
    for (const name of names) {
      const { statuses, bytes, probes, resident } = await measure(url, scenarios[name], server.pid);
      const text = Object.entries(statuses).map(
        ([status, { count, p50, p99, worst }]) =>
          `  ${status}: ${count} in ${values.seconds} s, p50 ${p50} ms, p99 ${p99} ms, worst ${worst} ms`,
      );
      process.stdout.write(
        `${name}, ${values.connections} connections: /healthz p50 ${probes.p50} ms, p99 ${probes.p99} ms, ` +
          `worst ${probes.worst} ms; ${Math.round(bytes / 1e6)} MB sent; ${resident} MB resident\n${text.join('\n')}\n`,
      );
    }
  } finally {
    server.kill();
    await once(server, 'exit');
  }
} finally {
  rmSync(folder, { recursive: true });
}
