// Many clients of one server, in a process of their own: node clients.mjs URL SECONDS, with a job as JSON on stdin:
// { connections, requests: [{ path, method, headers, body }] }   each connection sends one request after another
// { trickles, path }                                             connections that send a POST body one byte a second
// { readers, path }                                              connections that read a response slowly
// Prints the number of responses by status, the milliseconds that successful ones took, and the bytes of all bodies, as JSON.
import { Agent, request as send } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

/** The share of the whole time after which a response without a further byte counts as stalled. */
const STALLED_SHARE = 0.5;

const [url = '', duration = '1'] = process.argv.slice(2);
const seconds = Number(duration);
const job = JSON.parse(await text(process.stdin));
const end = performance.now() + seconds * 1000;
const statuses = new Map();
const milliseconds = [];
let byteLength = 0;

function count(status) {
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}

/** Requests until the time is over. A client that gets 503 waits as long as `Retry-After` says. */
async function runClient(first, requests, agent) {
  for (let turn = first; performance.now() < end; turn++) {
    const started = performance.now();
    const { status, retryAfter } = await exchange(requests[turn % requests.length], agent);
    if (status !== undefined) count(status);
    if (status >= 200 && status < 300) milliseconds.push(performance.now() - started);
    if (retryAfter > 0) await wait(Math.min(retryAfter * 1000, Math.max(0, end - performance.now())));
  }
}

/**
 * Resolves with the status `broken` if the connection breaks. The end of the time cuts off every client: the status is then
 * `stalled` if no byte has arrived for long, and otherwise undefined.
 */
function exchange({ path, method = 'GET', headers = {}, body }, agent) {
  return new Promise((resolve) => {
    let heardAt = performance.now();
    const fail = () => {
      const now = performance.now();
      if (now < end) resolve({ status: 'broken', retryAfter: 0.1 });
      else resolve({ status: now - heardAt > STALLED_SHARE * seconds * 1000 ? 'stalled' : undefined, retryAfter: 0 });
    };
    const outgoing = send(new URL(path, url), { agent, method, headers }, (response) => {
      const retryAfter = Number(response.headers['retry-after'] ?? 0);
      response.on('error', fail).on('end', () => resolve({ status: response.statusCode, retryAfter }));
      response.on('data', ({ length }) => {
        byteLength += length;
        heardAt = performance.now();
      });
    });
    outgoing.on('error', fail).end(body);
  });
}

async function runClients({ connections, requests }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const timer = setTimeout(() => agent.destroy(), Math.max(0, end - performance.now()));
  await Promise.all(Array.from({ length: connections }, (_, first) => runClient(first, requests, agent)));
  clearTimeout(timer);
}

function openSocket(head) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined).write(head);
  return socket;
}

async function trickle({ trickles, path }) {
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;
  const sockets = Array.from({ length: trickles }, () => openSocket(head).resume());
  while (performance.now() < end) {
    for (const socket of sockets) if (socket.writable) socket.write(' ');
    await wait(1000);
  }
}

async function readSlowly({ readers, path }) {
  const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const sockets = Array.from({ length: readers }, () => openSocket(head).pause());
  while (performance.now() < end) {
    for (const socket of sockets) socket.read(1);
    await wait(1000);
  }
}

if (job.trickles !== undefined) await trickle(job);
else if (job.readers !== undefined) await readSlowly(job);
else await runClients(job);
process.stdout.write(`${JSON.stringify({ statuses: Object.fromEntries(statuses), milliseconds, byteLength })}\n`, () =>
  process.exit(0),
);
