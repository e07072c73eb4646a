// Measures the costs of requests, and writes them to costs.json: node benchmarks/scale/costs.mjs
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { withHtskit } from '../htskit-serve.mjs';
import { describeMachine } from '../report/machine.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';
import { withProcess } from '../with-process.mjs';
import { writeScaleFiles } from './files.mjs';
import { findWholePath, toWholeBytes, waitUntilDigested } from './fleets.mjs';
import { measureCold, measureCosts } from './measure-costs.mjs';
import { MIXES } from './mixes.mjs';

const COSTS = fileURLToPath(new URL('costs.json', import.meta.url));
const RANGE_SERVER = fileURLToPath(new URL('range-server.mjs', import.meta.url));
/** The folder of the ids whose files are in the store. */
const REMOTE = 'remote/';
/** Whole genomes that are opened once from each place. */
const COPIES = 20;
const SECONDS = 1.5;
const SAMPLES = 60;

const places = await withTemporaryFolder(async (folder) => {
  const files = await writeScaleFiles(folder, { copies: COPIES });
  const store = spawn(process.execPath, [RANGE_SERVER, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(store.stdout);
  return withProcess(store, async () => {
    const [port] = await once(lines, 'line');
    const readCount = async () => {
      store.stdin.write('\n');
      const [count] = await once(lines, 'line');
      return Number(count);
    };
    const measured = async (url, pid) => {
      const options = { url, pid, wholeBytes: toWholeBytes(folder), ...files };
      await waitUntilDigested(options);
      return {
        folder: await measurePlace(options, { prefix: '' }),
        bucket: await measurePlace(options, { prefix: REMOTE, readCount }),
      };
    };
    return withHtskit(folder, measured, { settings: toSettings(port) });
  });
});
const results = {
  machine: describeMachine(),
  date: new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  places,
};
// Each column is a line.
const json = JSON.stringify(results, null, 2).replace(/\[[\d\s,]+\]/g, (column) => column.replace(/\s+/g, ''));
writeFileSync(COSTS, `${json}\n`);

async function measurePlace(service, { prefix, readCount }) {
  const placed = { ...service, prefix, wholePath: await findWholePath(service.url, prefix) };
  const mixes = [MIXES.browser, ...(service.hasCram ? [MIXES.archive] : []), MIXES.pipeline];
  const costs = {};
  for (const mix of mixes) {
    const measured = await measureCosts(placed, { mix, seconds: SECONDS, samples: SAMPLES, readCount });
    // What several mixes request is that of the first one.
    Object.assign(costs, { ...measured, ...costs });
  }
  costs.ticket.cold = await measureCold(placed, { copies: COPIES, readCount });
  return costs;
}

/** No block of the store is kept, since the files of a real one are larger than any cache. */
function toSettings(port) {
  const names = ['sample.bam', 'archive.cram', ...Array.from({ length: COPIES }, (_, copy) => `genome${copy}.bam`)];
  const locations = names.map((name) => {
    const id = `${REMOTE}${name.slice(0, name.lastIndexOf('.'))}`;
    return `    - { id: ${id}, location: "http://127.0.0.1:${port}/${name}" }\n`;
  });
  return `limits: { blockCacheBytes: 0 }
refget: { sources: [{ location: . }] }
htsget:
  locations:
    - { location: . }
${locations.join('')}`;
}
