// Slices over HTTP, from each kind of source, beside constants that the same server answers.
import { createHash } from 'node:crypto';
import { throughputRows } from '../harness.mjs';
import { takeTurns, timed } from '../turns.mjs';
import { openConnections } from './connections.mjs';
import { KINDS, randomStarts, WIDTHS } from './slices.mjs';

const CONNECTIONS = 4;
const COUNTS = { '1 kb': { fast: 1500, inflating: 200 }, '1 Mb': { fast: 24, inflating: 12 } };
/** Of 1 kb, where no block has to be inflated. */
const BUDGET = 0.8;
const PEERS = {
  response: 'the adapter, a constant Response',
  plain: 'the adapter, a constant plain answer',
  constant: `node:http ${process.versions.node}, a constant`,
};

/** Rows for both widths of the server at a port. */
export async function measureHttpSlices({ port, bases, md5 }) {
  const connections = await openConnections(port, CONNECTIONS);
  const rows = [];
  try {
    for (const work of WIDTHS) rows.push(await measureWidth(work, { port, bases, md5, connections }));
  } finally {
    connections.close();
  }
  return rows.flat();
}

async function measureWidth({ what, width }, { port, bases, md5, connections }) {
  const counts = COUNTS[what];
  const works = Object.entries(KINDS).map(([kind, { inflates = false, isHot }]) => {
    const starts = randomStarts(inflates ? counts.inflating : counts.fast, { width, isHot });
    return { kind, starts, paths: starts.map((start) => toPath(kind, { md5, start, width })) };
  });
  const constants = Object.keys(PEERS).map((kind) => ({
    kind,
    paths: Array.from({ length: counts.fast }, () => `/${kind}/${width}`),
  }));
  const contenders = [...works, ...constants].map(({ kind, paths }) => ({
    name: kind,
    measure: async () => (await timed(() => connections.get(paths, width))) / paths.length,
  }));
  const { ours, peers } = await takeTurns(contenders, { rounds: 7 });
  const seconds = Object.fromEntries([ours, ...peers].map((contender) => [contender.name, contender.seconds]));
  const rows = [];
  for (const { kind, starts, paths } of works) {
    const equal = await isEqual({ port, bases, starts, paths, width });
    const raced = {
      ours: { name: 'ours', seconds: seconds[kind] },
      peers: Object.entries(PEERS).map(([peer, name]) => ({ name, seconds: seconds[peer] })),
      equal,
    };
    const budget = width === 1000 && kind !== 'bgzf' ? BUDGET : null;
    const budgets = Object.values(PEERS).map((name) => ({ peers: [name], budget }));
    const name = `${what} slices over HTTP: ${KINDS[kind].what}`;
    rows.push(throughputRows({ name, unit: 'slices/s', amount: 1, budgets }, raced));
  }
  return rows.flat();
}

function toPath(kind, { md5, start, width }) {
  return `/${kind}/sequence/${md5}?start=${start}&end=${start + width}`;
}

/** Whether some of the answers are the bases that were written. */
async function isEqual({ port, bases, starts, paths, width }) {
  const [found, expected] = [createHash('md5'), createHash('md5')];
  for (const [rank, start] of starts.slice(0, 20).entries()) {
    const answer = await fetch(`http://127.0.0.1:${port}${paths[rank]}`);
    found.update(new Uint8Array(await answer.arrayBuffer()));
    expected.update(bases.subarray(start, start + width));
  }
  return found.digest('hex') === expected.digest('hex');
}
