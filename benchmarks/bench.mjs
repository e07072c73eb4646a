// pnpm bench [AREA…] [--json FILE]: runs areas/AREA.mjs, by default all of them, and prints what they measured.
import { readdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatTable } from './harness.mjs';

const areas = readdirSync(new URL('areas/', import.meta.url)).map((name) => name.replace(/\.mjs$/, ''));
const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' } } });
const unknown = positionals.filter((name) => !areas.includes(name));
if (unknown.length > 0) {
  console.error(`unknown area ${unknown.join(', ')}; there are ${areas.join(', ')}`);
  process.exit(2);
}

const rows = [];
for (const area of positionals.length > 0 ? positionals : areas) {
  console.error(`measuring ${area} …`);
  const { measure } = await import(`./areas/${area}.mjs`);
  rows.push(...(await measure()).map((row) => ({ area, ...row })));
}
console.log(formatTable(rows));
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
if (rows.some(({ equal }) => !equal)) process.exitCode = 1;
