// Many clients of one server, each with one request at a time. A process of its own, started by starvation.mjs:
// node scripts/load/clients.mjs URL CONNECTIONS SECONDS wait|hammer PATH…
// Prints the counts and times of the responses as JSON. A client that gets 503 waits for Retry-After, unless it hammers.
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

const [url = '', connections = '1', seconds = '1', patience = 'wait', ...paths] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const end = performance.now() + Number(seconds) * 1000;
/** Status to milliseconds of each response. */
const times = new Map();
let bytes = 0;

function get(path) {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, url), { agent }, (response) => {
      response.on('data', (chunk) => {
        bytes += chunk.length;
      });
      response.on('end', () => resolve(response));
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

async function runClient(first) {
  for (let turn = first; performance.now() < end; turn++) {
    const started = performance.now();
    let status = 'error';
    let retryAfter = 0;
    try {
      const response = await get(paths[turn % paths.length] ?? '/');
      status = String(response.statusCode);
      retryAfter = Number(response.headers['retry-after'] ?? 0);
    } catch {
      // Counted as an error.
      retryAfter = 1;
    }
    const known = times.get(status) ?? [];
    known.push(performance.now() - started);
    times.set(status, known);
    if (patience === 'wait') await wait(Math.min(retryAfter * 1000, Math.max(0, end - performance.now())));
  }
}

await Promise.all(Array.from({ length: Number(connections) }, (_, first) => runClient(first)));
const statuses = Object.fromEntries(
  [...times].map(([status, milliseconds]) => {
    milliseconds.sort((a, b) => a - b);
    const at = (share) => Math.round(milliseconds[Math.floor(share * (milliseconds.length - 1))] ?? 0);
    return [status, { count: milliseconds.length, p50: at(0.5), p99: at(0.99), worst: at(1) }];
  }),
);
process.stdout.write(`${JSON.stringify({ statuses, bytes })}\n`);
process.exit(0);
