// Checks the simulation against fleets of htskit serve on this machine: node benchmarks/scale/check.mjs [--help]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatMarkdownTable } from '../report/markdown-table.mjs';
import { compareFleets, FIGURES } from './compare.mjs';

const HELP = `node benchmarks/scale/check.mjs [OPTION…]

Measures the costs of requests, loads fleets of htskit serve in turns, simulates the same, and prints both: simulated/measured, and
the error. The processes of the server and of the users share the processors of this machine, also in the simulation. The costs of each
run are scaled to the processor time that its threads took, which differs from minute to minute.

  --mix NAME         what the users do, as in run.mjs; default browser
  --processes LIST   processes of the fleets; default 1,2,4
  --loads LIST       shares of the views that the processors can serve; default 0.25,0.5,0.75
  --rounds N         how often each fleet is loaded at most; default 3. Runs that other programs disturb count only if all do
  --seconds N        seconds of each load; default 20
  --json FILE        also writes the costs and all figures as JSON
`;

const { values } = parseArgs({
  options: {
    mix: { type: 'string', default: 'browser' },
    processes: { type: 'string', default: '1,2,4' },
    loads: { type: 'string', default: '0.25,0.5,0.75' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '20' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

async function check() {
  const { costs, cells } = await compareFleets({
    mix: values.mix,
    counts: numbersOf('processes'),
    loads: numbersOf('loads'),
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    report: (text) => console.error(text),
  });
  const header = [
    'processes',
    'load',
    'users',
    'quiet runs',
    'failed',
    'busy processors',
    ...Object.entries(FIGURES).map(([name, { unit }]) => `${name}, ${unit}`),
  ];
  const lines = cells.map(({ processes, load, users, quietRuns, failures, processors, model, measured }) => [
    ...[processes, load, users, quietRuns, failures, toDigits(processors)].map(String),
    ...Object.keys(FIGURES).map((name) => compare(model[name], measured[name])),
  ]);
  console.log(formatMarkdownTable(header, lines, new Set(header)));
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ costs, cells }, null, 2)}\n`);
}

function compare(model, measured) {
  const percent = Math.round(100 * (model / measured - 1));
  return `${toDigits(model)}/${toDigits(measured)} (${percent > 0 ? '+' : ''}${percent} %)`;
}

function toDigits(value) {
  return String(Number(value.toPrecision(3)));
}

function numbersOf(name) {
  return values[name].split(',').map(Number);
}

if (values.help) console.log(HELP);
else await check();
