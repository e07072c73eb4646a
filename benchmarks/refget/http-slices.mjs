// Measures slices over HTTP from each kind of source, against constants from the same server.
import { createHash } from 'node:crypto';
import { openConnections } from '../connections.mjs';
import { throughputRows } from '../harness.mjs';
import { timed } from '../turns.mjs';
import { KINDS, raceByName, randomStarts, WIDTHS } from './slices.mjs';

const CONNECTIONS = 4;
const COUNTS = { '1 kb': { fast: 1000, inflating: 200 }, '1 Mb': { fast: 12, inflating: 6 } };
/** Responses of the same length that need no lookup. */
const CONSTANTS = {
  constant: `node:http ${process.versions.node}, a constant`,
  response: 'the adapter, a constant Response',
  plain: 'the adapter, a constant plain answer',
};

/** Returns rows for both widths, of the server at a port. */
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
  const toContender = (name, paths) => ({
    name,
    measure: async () => (await timed(() => connections.get(paths, width))) / paths.length,
  });
  const works = Object.entries(KINDS).map(([kind, { inflates = false, isHot }]) => {
    const starts = randomStarts(inflates ? counts.inflating : counts.fast, { width, isHot });
    return { kind, starts, paths: starts.map((start) => toPath(kind, { md5, start, width })) };
  });
  const seconds = await raceByName(
    works.map(({ kind, paths }) => toContender(kind, paths)),
    Object.keys(CONSTANTS).map((kind) => toContender(kind, new Array(counts.fast).fill(`/${kind}/${width}`))),
  );
  const rows = [];
  for (const { kind, starts, paths } of works) {
    const equal = await isEqual({ port, bases, starts, paths, width });
    const peers = Object.entries(CONSTANTS).map(([peer, name]) => ({ name, seconds: seconds[peer] }));
    const name = `${what} slices over HTTP: ${KINDS[kind].what}`;
    const work = { name, unit: 'slices/s', amount: 1, budgets: [{ budget: null }] };
    rows.push(throughputRows(work, { ours: { name: 'ours', seconds: seconds[kind] }, peers, equal }));
  }
  return rows.flat();
}

function toPath(kind, { md5, start, width }) {
  return `/${kind}/sequence/${md5}?start=${start}&end=${start + width}`;
}

/** Returns whether a sample of the responses equals the bases that were written. */
async function isEqual({ port, bases, starts, paths, width }) {
  const [found, expected] = [createHash('md5'), createHash('md5')];
  for (const [index, start] of starts.slice(0, 20).entries()) {
    const answer = await fetch(`http://127.0.0.1:${port}${paths[index]}`);
    found.update(new Uint8Array(await answer.arrayBuffer()));
    expected.update(bases.subarray(start, start + width));
  }
  return found.digest('hex') === expected.digest('hex');
}
