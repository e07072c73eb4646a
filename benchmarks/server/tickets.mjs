// Measures tickets of an open index of a whole genome, against a constant ticket of the framework.
import { throughputRows } from '../harness.mjs';
import { smallerRows } from '../turns.mjs';
import { frameworkPeer } from './framework-peer.mjs';
import { percentile, raceFrameworks } from './race.mjs';
import { randomRegions, toTicketPath } from './regions.mjs';

const CONNECTIONS = 8;
const TICKETS = 500;
const ROUNDS = 5;
const SHARES = { p50: 0.5, p99: 0.99 };

export async function measureTickets({ ports, residentBytes }) {
  const paths = {
    ours: randomRegions(TICKETS).map(toTicketPath),
    peer: new Array(TICKETS).fill('/constant'),
  };
  const equal = await areTickets(ports);
  const amountOf = ({ milliseconds }) => milliseconds.length;
  const options = { connectionCount: CONNECTIONS, paths, amountOf };
  // The memory of a server that has answered for a while.
  await raceFrameworks(ports, { ...options, rounds: 1 });
  const before = await residentBytes();
  const results = await raceFrameworks(ports, { ...options, rounds: ROUNDS });
  const after = await residentBytes();
  const rows = results.flatMap((result) => toRows(result, equal));
  const memory = { name: 'memory before and after tickets', unit: 'MB', budgets: {}, equal: true };
  return [
    ...rows,
    ...smallerRows(memory, [
      ['ours', after / 1e6],
      ['before', before / 1e6],
    ]),
  ];
}

function toRows({ framework, ours, peers, latencies }, equal) {
  const name = `${frameworkPeer(framework)}, a constant ticket`;
  const raced = { ours, peers: peers.map((peer) => ({ ...peer, name })), equal };
  const work = { name: `${framework}: tickets, BAI of 9 MB`, unit: 'tickets/s', amount: 1 };
  const times = Object.entries(SHARES).flatMap(([share, value]) =>
    smallerRows(
      { name: `${framework}: a ticket, ${share} of ${CONNECTIONS} at once`, unit: 'ms', budgets: {}, equal },
      [
        ['ours', percentile(latencies.ours, value)],
        [name, percentile(latencies.peer, value)],
      ],
    ),
  );
  return [...throughputRows({ ...work, budgets: [{ budget: null }] }, raced), ...times];
}

/** Returns whether all frameworks answer with the same tickets, except for expiry and signature. */
async function areTickets(ports) {
  const answers = new Set();
  for (const region of randomRegions(5)) {
    const path = toTicketPath(region);
    const tickets = await Promise.all(
      Object.values(ports).map(async (port) => (await fetch(`http://127.0.0.1:${port}${path}`)).json()),
    );
    for (const { htsget } of tickets) answers.add(`${path} ${htsget.format} ${htsget.urls.map(toContent).join()}`);
  }
  return answers.size === 5;
}

function toContent({ url }) {
  if (url.startsWith('data:')) return url;
  const [claim] = new URL(url).pathname.split('/').at(-1).split('.');
  return JSON.stringify(JSON.parse(Buffer.from(claim, 'base64url')).segments);
}
