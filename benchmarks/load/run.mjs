// Measures `htskit serve` under load: node benchmarks/load/run.mjs [SCENARIO…] [--help]
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measure, soak } from './measure.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { withService } from './service.mjs';

const HELP = `node benchmarks/load/run.mjs [SCENARIO…] [OPTION…]

Starts htskit serve with generated files, loads it from other processes on this machine, and prints a table.

${Object.entries(SCENARIOS)
  .map(([name, { what }]) => `  ${name.padEnd(10)}${what}`)
  .join('\n')}

  --seconds N        seconds of load for each scenario; default 10
  --connections N    instead of the number of connections of each scenario
  --command FILE     the command to measure, such as packages/server/dist/cli.js of another checkout that is built
  --args TEXT        further arguments of htskit serve
  --processes N      serves in so many processes, and loads them when all are ready
  --threads N        worker threads of htskit serve (limits.workerThreads); default one per processor
  --megabytes N      size of the BAM file before compression; default 60
  --soak MINUTES     requests everything on 16 connections for so long instead, and prints the memory every 10 seconds
  --json FILE        also writes the rows as JSON
`;

const { values, positionals } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string' },
    command: {
      type: 'string',
      default: fileURLToPath(new URL('../../packages/server/dist/cli.js', import.meta.url)),
    },
    args: { type: 'string', default: '' },
    processes: { type: 'string' },
    threads: { type: 'string' },
    megabytes: { type: 'string', default: '60' },
    soak: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

/** The columns of the table: their heads, and the fields of a row. */
const COLUMNS = [
  ['scenario', 'scenario'],
  ['connections', 'connections'],
  ['per second', 'perSecond'],
  ['CPU ms', 'cpuPerResponse'],
  ['MB/s', 'megabytesPerSecond'],
  ['CPU ms/MB', 'cpuPerMegabyte'],
  ['ok', 'ok'],
  ['503', 'shed'],
  ['errors', 'errors'],
  ['p99 ms', 'p99'],
  ['healthz ms', 'healthz'],
  ['probe port', 'probePort'],
  ['RSS MB', 'residentMegabytes'],
  ['RSS MB each', 'megabytesPerConnection'],
];

function print(text) {
  process.stdout.write(`${text}\n`);
}

function format(cells) {
  return cells.map((cell, index) => (index === 0 ? String(cell).padEnd(10) : String(cell).padStart(11))).join(' ');
}

async function run() {
  const unknown = positionals.filter((name) => !Object.hasOwn(SCENARIOS, name));
  if (unknown.length > 0) throw new Error(`unknown scenario ${unknown.join(', ')}; see --help`);
  const names = positionals.length > 0 ? positionals : Object.keys(SCENARIOS);
  const { command, processes, threads, megabytes } = values;
  const args = values.args.split(' ').filter(Boolean);
  const options = { command, args, processes, threads, megabytes: Number(megabytes) };
  if (values.soak !== undefined) {
    const report = ({ seconds, residentMegabytes }) =>
      print(`${String(seconds).padStart(6)} s ${residentMegabytes} MB`);
    return [await withService(options, (service) => soak(service, Number(values.soak), report))];
  }
  print(format(COLUMNS.map(([head]) => head)));
  const rows = [];
  for (const scenario of names) {
    // A server for each, so that the memory and the caches are its own.
    const { needsCram, load } = SCENARIOS[scenario];
    const row = await withService({ ...options, needsCram }, async (service) => {
      const { background, clients } = load(service);
      const connections = Number(values.connections ?? clients.connections);
      const job = { background, clients: { ...clients, connections } };
      return { scenario, ...(await measure(service, job, Number(values.seconds))) };
    });
    print(format(COLUMNS.map(([, field]) => row[field])));
    rows.push(row);
  }
  return rows;
}

if (values.help) process.stdout.write(HELP);
else {
  const rows = await run();
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
}
