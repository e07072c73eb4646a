// pnpm bench [AREA…] [--out DIR] [--json FILE] [--page] [--from FILE]: runs areas/AREA.mjs, by default all of them, prints
// what they measured, and writes it into a folder.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { formatNotMeasured } from './not-measured.mjs';
import { describeMachine, versionsOf } from './report/machine.mjs';
import { writePage, writeResults } from './report/results.mjs';
import { formatTable } from './report/table.mjs';

const areas = readdirSync(new URL('areas/', import.meta.url)).map((name) => name.replace(/\.mjs$/, ''));
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Where `results.json`, `results.md` and a plot for each area are written. */
    out: { type: 'string', default: fileURLToPath(new URL('results/', import.meta.url)) },
    /** Where the rows alone are written. */
    json: { type: 'string' },
    /** Whether docs/benchmarks.md is written, too. */
    page: { type: 'boolean', default: false },
    /** The `results.json` of an earlier run, in place of measuring. */
    from: { type: 'string' },
  },
});
const unknown = positionals.filter((name) => !areas.includes(name));
if (unknown.length > 0) {
  console.error(`unknown area ${unknown.join(', ')}; there are ${areas.join(', ')}`);
  process.exit(2);
}

const results = options.from === undefined ? await measureAreas() : JSON.parse(readFileSync(options.from, 'utf8'));
console.log(formatTable(results.rows));
writeResults(options.out, results);
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results.rows, null, 2)}\n`);
if (options.page) writePage(results);
const notMeasured = formatNotMeasured();
if (notMeasured !== '') console.error(notMeasured);
if (results.rows.some(({ equal }) => !equal)) process.exitCode = 1;

async function measureAreas() {
  const rows = [];
  for (const area of positionals.length > 0 ? positionals : areas) {
    console.error(`measuring ${area} …`);
    const start = performance.now();
    const { measure } = await import(`./areas/${area}.mjs`);
    rows.push(...(await measure()).map((row) => ({ area, ...row })));
    console.error(`${area} took ${Math.round((performance.now() - start) / 1000)} s`);
  }
  return { machine: describeMachine(), date: new Date().toISOString(), versions: versionsOf(rows), rows };
}
