// How much for how many users, by simulation: node benchmarks/scale/run.mjs [--help]
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatMarkdownTable } from '../report/markdown-table.mjs';
import { findCapacity, GOALS, planFleet } from './capacity.mjs';
import { FLEET } from './fleet.mjs';
import { MIXES } from './mixes.mjs';

const HELP = `node benchmarks/scale/run.mjs [OPTION…]

Simulates replicas of htskit serve behind a load balancer and a CDN, and prints how many of them hold so many users, what they
need, and which limit is reached first. Lists of numbers, such as 0,0.9, print a row for each combination.

${Object.entries(MIXES)
  .map(([name, { what }]) => `  ${name.padEnd(20)}${what}`)
  .join('\n')}

  --users N           users at the same time; default 1000000
  --mix NAMES         what they do, as above; default ${FLEET.mix}
  --cdn SHARES        share of blocks and bases that come from a CDN; default 0
  --cold SHARE        share of tickets whose file is opened first; default ${FLEET.cold}
  --place NAME        where the files are: folder or bucket; default bucket
  --cores N           processors of a replica; default ${FLEET.cores}
  --processes N       processes of a replica; default ${FLEET.processes}
  --gigabits N        bandwidth of a replica; default ${FLEET.gigabits}
  --store-seconds N   until the bucket begins to answer; default ${FLEET.storeSeconds}
  --store-rate N      requests that the bucket answers in a second; default ${FLEET.storePerSecond}
  --p99 SECONDS       what 99 of 100 responses must not exceed; default ${GOALS.p99}
  --costs FILE        costs that costs.mjs measured; default benchmarks/scale/costs.json
  --json FILE         also writes the rows as JSON
`;

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '1000000' },
    mix: { type: 'string', default: FLEET.mix },
    cdn: { type: 'string', default: '0' },
    cold: { type: 'string', default: String(FLEET.cold) },
    place: { type: 'string', default: 'bucket' },
    cores: { type: 'string', default: String(FLEET.cores) },
    processes: { type: 'string', default: String(FLEET.processes) },
    gigabits: { type: 'string', default: String(FLEET.gigabits) },
    'store-seconds': { type: 'string', default: String(FLEET.storeSeconds) },
    'store-rate': { type: 'string', default: String(FLEET.storePerSecond) },
    p99: { type: 'string', default: String(GOALS.p99) },
    costs: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const HEADER = ['mix', 'users', 'CDN', 'replicas', 'cores', 'Gbit/s', 'store requests/s', 'p50 ms', 'p99 ms', 'first'];

function run() {
  const rows = values.mix.split(',').flatMap((mix) => numbersOf('cdn').flatMap((cdn) => plan(mix, cdn)));
  console.log(formatMarkdownTable(HEADER, rows.map(toCells), new Set(HEADER.slice(1, -1))));
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
}

/** Returns a row for each number of users. */
function plan(mix, cdn) {
  if (!Object.hasOwn(MIXES, mix)) throw new Error(`unknown mix "${mix}"; mixes: ${Object.keys(MIXES).join(', ')}`);
  const { places } = JSON.parse(readFileSync(values.costs ?? new URL('costs.json', import.meta.url), 'utf8'));
  const { [values.place]: costs } = places;
  if (costs === undefined)
    throw new Error(`unknown place "${values.place}"; places: ${Object.keys(places).join(', ')}`);
  const missing = MIXES[mix].view.find(({ kind }) => costs[kind] === undefined);
  if (missing !== undefined) throw new Error(`the costs of "${missing.kind}" are not measured; install samtools`);
  const [cold, cores, processes, gigabits] = ['cold', 'cores', 'processes', 'gigabits'].map((name) =>
    Number(values[name]),
  );
  const [storeSeconds, storePerSecond] = ['store-seconds', 'store-rate'].map((name) => Number(values[name]));
  const store = values.place === 'bucket' ? { storeSeconds, storePerSecond } : { storeSeconds: 0 };
  const options = { mix, cdn, cold, cores, processes, gigabits, ...store };
  const capacity = findCapacity(costs, options, { ...GOALS, p99: Number(values.p99) });
  return numbersOf('users').map((users) => ({ mix, cdn, ...planFleet(costs, { ...options, users, capacity }) }));
}

function toCells({ mix, users, cdn, replicas, cores, gigabits, storePerSecond, p50, p99, use, first }) {
  const share = `${first} (${Math.round(100 * use[first])} %)`;
  const amounts = [gigabits, storePerSecond, 1000 * p50, 1000 * p99].map((amount) =>
    group(Number(amount.toPrecision(2))),
  );
  return [mix, group(users), `${100 * cdn} %`, group(replicas), group(cores), ...amounts, share];
}

function group(number) {
  return number.toLocaleString('en-US');
}

function numbersOf(name) {
  return values[name].split(',').map(Number);
}

if (values.help) console.log(HELP);
else run();
