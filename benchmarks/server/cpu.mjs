// Measures the CPU time that `htskit serve` takes for short responses, against constants of node:http and the bare adapter.
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openConnections } from '../connections.mjs';
import { cpuSeconds } from '../cpu-time.mjs';
import { LINE_LENGTH, makeFastaLike, spell } from '../fasta-like.mjs';
import { withHtskit } from '../htskit-serve.mjs';
import { noteNotMeasured } from '../not-measured.mjs';
import { createRandom } from '../random.mjs';
import { smallerRows, takeTurns } from '../turns.mjs';
import { withProcess } from '../with-process.mjs';
import { randomRegions, toTicketPath } from './regions.mjs';

const REQUESTS = 2000;
const CONNECTIONS = [1, 8];
const ROUNDS = 3;
const BUDGET = 0.3;
const WIDTH = 1000;
/** Lines of the FASTA file: 6 MB. */
const LINES = 100_000;
const WAIT_MILLISECONDS = 100;

/** Returns rows of the genome that `writeFiles` wrote into the folder, and of a FASTA file; no rows without `/proc`. */
export async function measureCpu(folder, { genome, index }) {
  if (process.platform !== 'linux') {
    noteNotMeasured('CPU time of responses', 'Linux');
    return [];
  }
  const { fasta, md5, length } = writeFasta(folder);
  const child = fork(fileURLToPath(new URL('cpu-serve.mjs', import.meta.url)), [
    JSON.stringify({ genome, index, fasta }),
  ]);
  return withProcess(child, async (exited) => {
    const [{ port }] = await Promise.race([once(child, 'message'), exited]);
    const bare = { pid: child.pid, port };
    return withHtskit(folder, async (url, pid) => {
      const ready = { pid, port: Number(new URL(url).port) };
      const random = createRandom(11);
      const starts = Array.from({ length: REQUESTS }, () => random() % (length - WIDTH));
      const tickets = randomRegions(REQUESTS).map(toTicketPath);
      const slices = starts.map((start) => `/sequence/${md5}?start=${start}&end=${start + WIDTH}`);
      await untilServed(`${url}/sequence/${md5}/metadata`);
      const rows = [];
      for (const count of CONNECTIONS) {
        const options = { bare, ready, count };
        rows.push(...(await measurePaths('a health check', new Array(REQUESTS).fill('/healthz'), options)));
        rows.push(...(await measurePaths('a hot ticket', tickets, { ...options, budget: BUDGET, hasBare: true })));
        rows.push(...(await measurePaths('a 1 kb slice', slices, { ...options, budget: BUDGET, hasBare: true })));
      }
      return rows;
    });
  });
}

function writeFasta(folder) {
  const lines = makeFastaLike(LINES * LINE_LENGTH, 7);
  const fasta = join(folder, 'sequence.fa');
  writeFileSync(fasta, Buffer.concat([Buffer.from('>sequence\n'), lines]));
  const bases = spell(lines);
  return { fasta, md5: createHash('md5').update(bases).digest('hex'), length: bases.length };
}

/** The server digests sequences after it began to listen. */
async function untilServed(url) {
  while (!(await fetch(url)).ok) await setTimeout(WAIT_MILLISECONDS);
}

async function measurePaths(what, paths, { bare, ready, count, budget = null, hasBare = false }) {
  const constant = `node:http ${process.versions.node}, a constant`;
  const adapter = 'the adapter alone';
  const [path] = paths;
  const { byteLength } = await (await fetch(`http://127.0.0.1:${ready.port}${path}`)).arrayBuffer();
  const contenders = [
    { name: 'ours', server: ready, paths },
    { name: constant, server: bare, paths: new Array(REQUESTS).fill(`/constant/${byteLength}`) },
    ...(hasBare ? [{ name: adapter, server: bare, paths }] : []),
  ];
  const measured = contenders.map(({ name, server, paths: requested }) => ({
    name,
    measure: () => secondsPerRequest(server, requested, count),
  }));
  const { ours, peers } = await takeTurns(measured, { rounds: ROUNDS });
  const name = `htskit serve: CPU of ${what}, ${count === 1 ? 'one connection' : `${count} connections`}`;
  return smallerRows(
    { name, unit: 'µs', budgets: { [constant]: budget }, equal: true },
    [ours, ...peers].map(({ name: contender, seconds }) => [contender, seconds * 1e6]),
  );
}

/** Opens new connections, since the server closes those that wait for their turn for too long. */
async function secondsPerRequest({ port, pid }, paths, count) {
  const connections = await openConnections(port, count);
  const before = cpuSeconds(pid);
  await connections.get(paths);
  const seconds = cpuSeconds(pid) - before;
  connections.close();
  return seconds / paths.length;
}
