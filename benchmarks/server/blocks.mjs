// Measures the blocks of a BAM, against the file as the framework sends it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { throughputRows } from '../harness.mjs';
import { smallerRows } from '../turns.mjs';
import { frameworkPeer } from './framework-peer.mjs';
import { percentile, raceFrameworks } from './race.mjs';

const CONNECTIONS = 4;
const DOWNLOADS = 4;
const ROUNDS = 3;
/** Unmeasured rounds. The code of the first framework is not compiled yet. */
const WARM_UPS = 3;
const BUDGET = 0.9;

export async function measureBlocks({ ports, residentBytes, paths }) {
  const [[, port]] = Object.entries(ports);
  const { htsget } = await (await fetch(`http://127.0.0.1:${port}/reads/reads`)).json();
  const urls = htsget.urls.map(({ url }) => url);
  const equal = (await sha256Of(urls, ports)) === createHash('sha256').update(readFileSync(paths.bam)).digest('hex');
  const [block] = urls.filter((url) => !url.startsWith('data:')).slice(-1);
  const amountOf = ({ byteLength }) => byteLength / 1e6;
  const asked = {
    ours: new Array(DOWNLOADS).fill(new URL(block).pathname),
    peer: new Array(DOWNLOADS).fill('/file'),
  };
  const options = { connectionCount: CONNECTIONS, paths: asked, amountOf };
  await raceFrameworks(ports, { ...options, rounds: WARM_UPS });
  const before = await residentBytes();
  const results = await raceFrameworks(ports, { ...options, rounds: ROUNDS });
  const after = await residentBytes();
  const memory = { name: 'memory before and after blocks', unit: 'MB', budgets: {}, equal: true };
  return [
    ...results.flatMap((result) => toRows(result, equal)),
    ...smallerRows(memory, [
      ['ours', after / 1e6],
      ['before', before / 1e6],
    ]),
  ];
}

function toRows({ framework, ours, peers, latencies }, equal) {
  const name = `${frameworkPeer(framework)}, a file piped`;
  const raced = { ours, peers: peers.map((peer) => ({ ...peer, name })), equal };
  const work = { name: `${framework}: blocks of a BAM`, unit: 'MB/s', amount: 1 };
  const budgets = { budgets: [{ peers: [name], budget: BUDGET }] };
  const last = { name: `${framework}: a block, p99 of ${CONNECTIONS} at once`, unit: 'ms', budgets: {}, equal };
  return [
    ...throughputRows({ ...work, ...budgets }, raced),
    ...smallerRows(last, [
      ['ours', percentile(latencies.ours, 0.99)],
      [name, percentile(latencies.peer, 0.99)],
    ]),
  ];
}

/** Downloads all blocks one after another, each through another framework. */
async function sha256Of(urls, ports) {
  const hash = createHash('sha256');
  const all = Object.values(ports);
  for (const [index, url] of urls.entries()) {
    const answer = url.startsWith('data:')
      ? await fetch(url.replace('data:;', 'data:application/octet-stream;'))
      : await fetch(`http://127.0.0.1:${all[index % all.length]}${new URL(url).pathname}`);
    hash.update(new Uint8Array(await answer.arrayBuffer()));
  }
  return hash.digest('hex');
}
