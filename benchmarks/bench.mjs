// pnpm bench [AREA…]: runs areas/AREA.mjs, by default all of them, prints a table of the results and writes them to files.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { formatNotMeasured } from './not-measured.mjs';
import { describeMachine, versionsOf } from './report/machine.mjs';
import { writePages, writeResults } from './report/results.mjs';
import { parseResults } from './report/summary.mjs';
import { formatTable } from './report/table.mjs';

const areas = readdirSync(new URL('areas/', import.meta.url)).map((name) => name.replace(/\.mjs$/, ''));
const USAGE = `Usage: pnpm bench [AREA...] [options]

Measures htskit side by side with its peers. Areas (default: all): ${areas.join(', ')}

  --out DIR    write results.json, results.md and a plot of each area to DIR
               (default: benchmarks/results)
  --json FILE  write the rows to FILE
  --page       write docs/benchmarks.md, docs/benchmarks-full.md, their plot, and
               their summary docs/benchmarks.json; reports all areas
  --from FILE  report the results of an earlier run instead of measuring; FILE is
               its results.json or docs/benchmarks.json
  -h, --help   print this help

Exit codes: 0, 1 (a run failed or outputs differ), 2 (usage).`;

const { values: options, positionals } = parseCommandLine();
if (options.help) {
  console.log(USAGE);
  process.exit(0);
}
const unknown = positionals.filter((name) => !areas.includes(name));
if (unknown.length > 0) endWithUsage(`unknown area "${unknown[0]}"; areas: ${areas.join(', ')}`);
if (options.page && positionals.length > 0) endWithUsage('--page reports all areas: name none');
if (options.from !== undefined && !existsSync(options.from)) endWithUsage(`--from ${options.from}: no such file`);

const results = options.from === undefined ? await measureAreas() : parseResults(readFileSync(options.from, 'utf8'));
console.log(formatTable(results.rows));
writeResults(options.out, results);
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results.rows, null, 2)}\n`);
if (options.page) writePages(results);
const notMeasured = formatNotMeasured();
if (notMeasured !== '') console.error(notMeasured);
if (results.rows.some(({ equal }) => !equal)) process.exitCode = 1;

function parseCommandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        out: { type: 'string', default: fileURLToPath(new URL('results/', import.meta.url)) },
        json: { type: 'string' },
        page: { type: 'boolean', default: false },
        from: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    return endWithUsage(`${error.message}\n\n${USAGE}`);
  }
}

function endWithUsage(message) {
  console.error(message);
  process.exit(2);
}

async function measureAreas() {
  const rows = [];
  const begin = performance.now();
  for (const area of positionals.length > 0 ? positionals : areas) {
    console.error(`measuring ${area} …`);
    const start = performance.now();
    const { measure } = await import(`./areas/${area}.mjs`);
    rows.push(...(await measure()).map((row) => ({ area, ...row })));
    console.error(`${area} took ${Math.round((performance.now() - start) / 1000)} s`);
  }
  const seconds = Math.round((performance.now() - begin) / 1000);
  return { machine: describeMachine(), date: new Date().toISOString(), seconds, versions: versionsOf(rows), rows };
}
