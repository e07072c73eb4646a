// Runs contenders in turns and returns rows of the results:
// { name, unit, ours, peers: { "name version": value }, peer, ratio, budget, equal }
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Returns the name of an npm package with its installed version, such as "pako 3.0.3". */
export function npmPeer(name) {
  const { version } = JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), 'utf8'));
  return `${name} ${version}`;
}

/**
 * Runs all contenders in turns: once unmeasured, to warm up and to compare the outputs, then `rounds` times, each round
 * beginning with another one. The first contender is ours.
 *
 * A contender is `{ name, run, result? }`. `run` returns pieces of bytes or text, which may be views that are valid
 * until the next one; consuming them is part of the measured time. `result` does the same work and returns the pieces
 * that must be equal for all, if those of `run` are not; it is `null` if the contender does other work.
 */
export async function race(contenders, { rounds = 7 } = {}) {
  const runners = [];
  for (const { name, run, result = run } of contenders) {
    if (result === null) await drain(await run());
    const digest = result === null ? undefined : await sha256(await result());
    runners.push({ name, run, digest, times: [] });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < runners.length; turn += 1) {
      const { run, times } = runners[(round + turn) % runners.length];
      const start = performance.now();
      await drain(await run());
      times.push((performance.now() - start) / 1000);
    }
  }
  const [ours, ...peers] = runners.map(({ name, times }) => ({ name, seconds: median(times) }));
  const digests = runners.map(({ digest }) => digest).filter((digest) => digest !== undefined);
  return { ours, peers, equal: digests.every((digest) => digest === digests[0]) };
}

/**
 * Returns the rows of a race in which each contender processed `amount` of `unit` per run, one row for each of
 * `budgets`: `{ peers, budget }`. The row's `peer` is the fastest of `peers`, by default of all; there is no row if
 * none is installed. `budget: null` sets no budget.
 */
export function throughputRows({ name, unit, amount, budgets }, { ours, peers, equal }) {
  const values = Object.fromEntries(peers.map((peer) => [peer.name, round(amount / peer.seconds)]));
  return budgets.flatMap(({ peers: names = Object.keys(values), budget }) => {
    const [fastest] = peers.filter((peer) => names.includes(peer.name)).sort((a, b) => a.seconds - b.seconds);
    if (fastest === undefined) return [];
    const ratio = round(fastest.seconds / ours.seconds);
    return { name, unit, ours: round(amount / ours.seconds), peers: values, peer: fastest.name, ratio, budget, equal };
  });
}

/** Returns a row without a budget for the compression ratio of each contender for `size` bytes; `sizes` is by name. */
export function compressionRow({ name, size, sizes: [[, ours], ...peers] }, { equal }) {
  const values = Object.fromEntries(peers.map(([peer, bytes]) => [peer, round(size / bytes)]));
  const [[peer, smallest]] = peers.toSorted(([, a], [, b]) => a - b);
  const ratio = round(smallest / ours);
  return {
    name,
    unit: 'x compressed',
    ours: round(size / ours),
    peers: values,
    peer,
    ratio,
    budget: null,
    equal,
  };
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Rounds to three significant digits: shared machines do not reproduce more. */
function round(value) {
  return Number(value.toPrecision(3));
}

/** Consumes all pieces, and counts their bytes so that no work can be optimised away. */
async function drain(given) {
  let length = 0;
  for await (const piece of toPieces(given)) length += piece.length;
  return length;
}

async function sha256(given) {
  const hash = createHash('sha256');
  for await (const piece of toPieces(given)) hash.update(piece);
  return hash.digest('hex');
}

function toPieces(given) {
  if (given === undefined) return [];
  return typeof given === 'string' || given instanceof Uint8Array ? [given] : given;
}
