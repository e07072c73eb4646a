// Measures what requests to `htskit serve` cost: views of one user, request by request, and views of many users at once.
import { setTimeout as wait } from 'node:timers/promises';
import { cpuSecondsByRole } from '../cpu-time.mjs';
import { createShares } from '../random.mjs';
import { Client } from './client.mjs';
import { drawView } from './mixes.mjs';
import { toFactors } from './model/costs.mjs';
import { mean } from './model/statistics.mjs';
import { createRequests, requestView } from './requests.mjs';

const CONNECTIONS = 8;
/** After this time, a process has done what follows a response, such as closing a file. */
const AFTERWARDS_MILLISECONDS = 4;

/**
 * Returns the costs of the kinds of requests of a mix, in microseconds: `samples` of single requests, one view after another, as columns
 * `main`, `workers`, `others`, `client`, `idle`, `bytes` and `reads`; and `busy`, the means when users do not wait for each
 * other. `idle` is the time in which no thread worked on the request, and `reads` the requests to the store, which `readCount` counts.
 */
export async function measureCosts(service, { mix, seconds, samples, readCount }) {
  const nextShare = createShares(23);
  const options = { mix, requests: createRequests(service, nextShare), nextShare };
  // Code is compiled meanwhile.
  await measureBusy(service, { ...options, duration: seconds });
  const busy = await measureBusy(service, { ...options, duration: seconds });
  const alone = await measureViews(service, { ...options, samples, readCount });
  const costs = mapValues(alone, (columns) => ({ samples: columns }));
  const factors = toFactors(costs, busy);
  for (const each of Object.values(costs)) {
    each.busy = mapValues(factors, (factor, role) => Math.round(factor * mean(each.samples[role])));
  }
  return costs;
}

/** Returns the columns of single requests that are the first for their file, one for each of the `copies` of the genome. */
export async function measureCold(service, { copies, readCount }) {
  const requests = createRequests(service, createShares(29));
  const client = new Client(service.url);
  const rows = [];
  for (let copy = 0; copy < copies; copy += 1) {
    const [{ kind: _, ...row }] = await measureView(service, { kinds: ['coldTicket'], requests, client, readCount });
    rows.push(row);
  }
  client.close();
  return toColumns(rows);
}

/** Returns how often users who do not wait request each kind, and the seconds that this takes by role. */
async function measureBusy({ url, pid }, { mix, requests, nextShare, duration }) {
  const clients = Array.from({ length: CONNECTIONS }, () => new Client(url));
  const end = performance.now() + duration * 1000;
  const counts = {};
  const before = readClocks(pid);
  const run = async (client) => {
    while (performance.now() < end) {
      for await (const { kind } of requestView(toRequest(client), { kinds: drawView(mix, nextShare), requests })) {
        counts[kind] = (counts[kind] ?? 0) + 1;
      }
    }
  };
  await Promise.all(clients.map(run));
  const seconds = mapValues(subtract(readClocks(pid), before), (microseconds) => microseconds / 1e6);
  for (const client of clients) client.close();
  return { counts, seconds };
}

/** Returns the columns of the kinds of a mix, whose views one user requests. */
async function measureViews(service, { mix, samples, ...options }) {
  const kinds = mix.view.map(({ kind }) => kind);
  const client = new Client(service.url);
  const rows = Object.fromEntries(kinds.map((kind) => [kind, []]));
  for (let view = 0; view < samples; view += 1) {
    for (const { kind, ...row } of await measureView(service, { kinds, client, ...options })) rows[kind].push(row);
  }
  client.close();
  return mapValues(rows, toColumns);
}

/** Requests a view after a pause. What the server does after a response counts for the next request, and in the end for the last one. */
async function measureView({ pid }, { kinds, requests, client, readCount = async () => 0 }) {
  await wait(AFTERWARDS_MILLISECONDS);
  await readCount();
  const rows = [];
  let before = readClocks(pid);
  for await (const { kind, byteLength: bytes, seconds } of requestView(toRequest(client), { kinds, requests })) {
    const own = readOwnClock() - before.client;
    if (rows.length === kinds.length - 1) await wait(AFTERWARDS_MILLISECONDS);
    const after = readClocks(pid);
    const { main, workers, others } = subtract(after, before);
    const idle = Math.max(0, seconds * 1e6 - main - workers - own);
    const row = mapValues({ main, workers, others, client: own, idle, bytes, reads: await readCount() }, Math.round);
    rows.push({ kind, ...row });
    // To read clocks does not belong to a request.
    before = { ...after, client: readOwnClock() };
  }
  return rows;
}

function toRequest(client) {
  return (request) => client.expect(request);
}

function toColumns(rows) {
  return mapValues(rows[0], (_, name) => rows.map((row) => row[name]));
}

/** Returns the processor time of the server by role, and that of this process, in microseconds. */
function readClocks(pid) {
  const roles = mapValues(cpuSecondsByRole(pid), (seconds) => seconds * 1e6);
  return { ...roles, client: readOwnClock() };
}

function readOwnClock() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function subtract(after, before) {
  return mapValues(after, (value, key) => value - before[key]);
}

function mapValues(object, map) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}
