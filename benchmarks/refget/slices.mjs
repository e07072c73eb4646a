// Measures slices in process from each kind of source, against htslib.
import { createHash } from 'node:crypto';
import { throughputRows } from '../harness.mjs';
import { createRandom } from '../random.mjs';
import { takeTurns, timed } from '../turns.mjs';
import { faidxOf } from './faidx.mjs';
import { LENGTH, NAME } from './genome.mjs';
import { openSources } from './sources.mjs';

/** Bases of the blocks that are cached by default. */
const HOT_BASES = 3_000_000;

/** Slices per round: fewer if each inflates blocks. */
export const WIDTHS = [
  { what: '1 kb', width: 1000, counts: { fast: 4000, inflating: 100 }, budgets: { fasta: 1, bgzfHot: 5 } },
  { what: '1 Mb', width: 1_000_000, counts: { fast: 8, inflating: 4 }, budgets: { fasta: 0.5, twoBit: 0.4 } },
];

/**
 * The kinds, each with the peers of the same work. `inflates` and `isHot` decide how many slices are fetched, and
 * where.
 */
export const KINDS = {
  fasta: { what: 'FASTA', peers: ['fasta'] },
  bgzf: { what: 'bgzipped, no block kept', inflates: true, peers: ['bgzf'] },
  bgzfHot: { what: 'bgzipped and hot', isHot: true, peers: ['bgzfHot', 'bgzfHotKept'] },
  twoBit: { what: '2bit', peers: ['fasta'] },
  store: { what: 'native store', peers: ['fasta'] },
};

/** Returns the first bases of slices, the same each time: anywhere, or within the cached blocks. */
export function randomStarts(count, { width, isHot = false }) {
  const random = createRandom(11);
  const room = (isHot ? HOT_BASES : LENGTH) - width + 1;
  return Array.from({ length: count }, () => random() % room);
}

/** Returns rows for both widths, or no rows without `htslib`. */
export async function measureSlices({ paths, bases, md5, htslib }) {
  if (htslib === undefined) return [];
  const sequences = await openSequences(paths, md5);
  const faidx = {
    fasta: { ...faidxOf(htslib, { path: paths.fasta, name: NAME }), what: 'FASTA' },
    bgzf: { ...faidxOf(htslib, { path: paths.bgzf, name: NAME }), what: 'bgzipped', inflates: true },
    bgzfHot: { ...faidxOf(htslib, { path: paths.bgzf, name: NAME }), what: 'bgzipped', inflates: true, isHot: true },
    bgzfHotKept: {
      ...faidxOf(htslib, { path: paths.bgzf, name: NAME, cachedBytes: 2 ** 22 }),
      what: 'bgzipped, caching 4 MiB',
      isHot: true,
    },
  };
  const rows = [];
  for (const work of WIDTHS) rows.push(await measureWidth(work, { sequences, bases, faidx, htslib }));
  return rows.flat();
}

async function openSequences(paths, md5) {
  const sequences = {};
  for (const [kind, catalogue] of Object.entries(await openSources(paths)))
    [sequences[kind]] = await catalogue.find({ kind: 'md5', digest: md5 });
  return sequences;
}

async function measureWidth({ what, width, counts, budgets }, { sequences, bases, faidx, htslib }) {
  const startsFor = ({ inflates = false, isHot = false }) =>
    randomStarts(inflates ? counts.inflating : counts.fast, { width, isHot });
  const seconds = await raceByName(
    Object.entries(KINDS).map(([kind, options]) => {
      const starts = startsFor(options);
      return { name: kind, measure: () => secondsPerSlice(sequences[kind], starts, width) };
    }),
    Object.entries(faidx).map(([kind, peer]) => {
      const starts = startsFor(peer);
      return { name: `faidx ${kind}`, measure: () => peer.secondsPerSlice(starts, width) };
    }),
  );
  const rows = [];
  for (const [kind, { what: source, peers: kinds, ...options }] of Object.entries(KINDS)) {
    const compared = { sequence: sequences[kind], faidx: kinds.map((peer) => faidx[peer]), bases, width };
    const equal = await isEqual(startsFor(options).slice(0, counts.inflating), compared);
    const peers = kinds.map((peer) => ({
      name: `${htslib.name} faidx, ${faidx[peer].what}`,
      seconds: seconds[`faidx ${peer}`],
    }));
    const [{ name: first }] = peers;
    const asked = peers.map(({ name }) => ({ peers: [name], budget: name === first ? (budgets[kind] ?? null) : null }));
    const work = { name: `${what} slices: ${source}`, unit: 'slices/s', amount: 1, budgets: asked };
    rows.push(throughputRows(work, { ours: { name: 'ours', seconds: seconds[kind] }, peers, equal }));
  }
  return rows.flat();
}

/** Returns seconds by name. All contenders take turns: ours, and the peers of each kind. */
export async function raceByName(ours, peers) {
  const raced = await takeTurns([...ours, ...peers], { rounds: 5 });
  return Object.fromEntries([raced.ours, ...raced.peers].map(({ name, seconds }) => [name, seconds]));
}

/** Once unmeasured, to fill the processor's caches again. htslib does the same in its process. */
async function secondsPerSlice(sequence, starts, width) {
  // Ours reads into memory that is kept, as htslib gets back what it freed. One fifteenth is for the line ends.
  const into = new Uint8Array(Math.ceil((16 * width) / 15) + 8);
  await readAll(sequence, { starts, width, into });
  return (await timed(() => readAll(sequence, { starts, width, into }))) / starts.length;
}

async function readAll(sequence, { starts, width, into }) {
  let length = 0;
  for (const start of starts) length += (await sequence.read({ start, end: start + width }, { into })).length;
  return length;
}

/** Returns whether all slices equal the bases that were written. htslib returns them in the letter case of the file. */
async function isEqual(starts, { sequence, faidx, bases, width }) {
  const expected = digest(starts.map((start) => bases.subarray(start, start + width)));
  const slices = [];
  for (const start of starts) slices.push(await sequence.read({ start, end: start + width }));
  if (digest(slices) !== expected) return false;
  for (const peer of faidx) {
    const found = await peer.bases(starts, width);
    if (digest(found.map((text) => Buffer.from(text.toUpperCase()))) !== expected) return false;
  }
  return true;
}

function digest(slices) {
  const hash = createHash('sha256');
  for (const slice of slices) hash.update(slice);
  return hash.digest('hex');
}
