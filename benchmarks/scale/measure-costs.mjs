// Measures what requests to `htskit serve` cost: many of a kind at once, and one of any kind at a time.
import { setTimeout as wait } from 'node:timers/promises';
import { cpuSecondsByRole } from '../cpu-time.mjs';
import { createShares } from '../random.mjs';
import { Client } from './client.mjs';
import { createRequests, TICKET_OF } from './requests.mjs';

const CONNECTIONS = 8;
/** After this time, a process has done what follows a response, such as closing a file. */
const AFTERWARDS_MILLISECONDS = 4;

/**
 * Returns the costs by kind, in microseconds: `samples` of single requests, as columns `main`, `workers`, `others`, `client`, `idle`,
 * `bytes` and `reads`. `idle` is the time in which no thread worked on it, and `reads` the requests to the store, which `readCount` counts; and `busy`, the means of many requests at once.
 */
export async function measureCosts(service, { kinds, seconds, samples, readCount }) {
  const nextShare = createShares(23);
  const requests = createRequests(service, nextShare);
  const costs = {};
  // Code is compiled during the first round.
  for (let round = 0; round < 2; round += 1) {
    for (const kind of kinds) {
      costs[kind] = { busy: await measureBusy(service, { kind, requests, seconds, costs }), samples: [] };
    }
  }
  const left = kinds.flatMap((kind) => new Array(samples).fill(kind));
  const client = new Client(service.url);
  while (left.length > 0) {
    const [kind] = left.splice(Math.floor(nextShare() * left.length), 1);
    costs[kind].samples.push(await measureOne(service, { kind, requests, client, readCount }));
  }
  client.close();
  return mapValues(costs, ({ busy, samples: rows }) => ({ busy, samples: toColumns(rows) }));
}

function toColumns(rows) {
  return mapValues(rows[0], (_, name) => rows.map((row) => row[name]));
}

/** Returns the columns of single requests that are the first for their file, one for each of the `copies` of the genome. */
export async function measureCold(service, { copies, readCount }) {
  const requests = createRequests(service, createShares(29));
  const client = new Client(service.url);
  const rows = [];
  for (let copy = 0; copy < copies; copy += 1) {
    rows.push(await measureOne(service, { kind: 'coldTicket', requests, client, readCount }));
  }
  client.close();
  return toColumns(rows);
}

/** A kind that needs a ticket is measured with it. The costs of the ticket must be known. */
async function measureBusy({ url, pid }, { kind, requests, seconds, costs }) {
  const clients = Array.from({ length: CONNECTIONS }, () => new Client(url));
  const ticket = TICKET_OF[kind];
  const end = performance.now() + seconds * 1000;
  const before = readClocks(pid);
  let count = 0;
  const run = async (client) => {
    for (; performance.now() < end; count += 1) {
      const text = ticket && (await client.expect(requests[ticket]())).text;
      await client.expect(requests[kind](text));
    }
  };
  await Promise.all(clients.map(run));
  const sums = subtract(readClocks(pid), before);
  for (const client of clients) client.close();
  return mapValues(sums, (sum, role) => Math.round(Math.max(0, sum / count - (costs[ticket]?.busy[role] ?? 0))));
}

async function measureOne({ pid }, { kind, requests, client, readCount = async () => 0 }) {
  const ticket = TICKET_OF[kind];
  const text = ticket && (await client.expect(requests[ticket]())).text;
  const request = requests[kind](text);
  await wait(AFTERWARDS_MILLISECONDS);
  await readCount();
  const before = readClocks(pid);
  const { byteLength: bytes, seconds } = await client.expect(request);
  const clientAfter = process.cpuUsage();
  await wait(AFTERWARDS_MILLISECONDS);
  const { main, workers, others } = subtract(readClocks(pid), before);
  const own = toMicroseconds(clientAfter) - before.client;
  const idle = Math.max(0, seconds * 1e6 - main - workers - own);
  return mapValues({ main, workers, others, client: own, idle, bytes, reads: await readCount() }, Math.round);
}

/** Returns the processor time of the server by role, and that of this process, in microseconds. */
function readClocks(pid) {
  const roles = mapValues(cpuSecondsByRole(pid), (seconds) => seconds * 1e6);
  return { ...roles, client: toMicroseconds(process.cpuUsage()) };
}

function toMicroseconds({ user, system }) {
  return user + system;
}

function subtract(after, before) {
  return mapValues(after, (value, key) => value - before[key]);
}

function mapValues(object, map) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}
