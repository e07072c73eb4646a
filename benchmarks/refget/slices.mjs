// Slices in process, from each kind of source, beside htslib.
import { createHash } from 'node:crypto';
import { throughputRows } from '../harness.mjs';
import { createRandom } from '../random.mjs';
import { takeTurns, timed } from '../turns.mjs';
import { faidxOf } from './faidx.mjs';
import { LENGTH, NAME } from './genome.mjs';
import { openSources } from './sources.mjs';

/** Bases that the blocks hold which are kept by default. */
const HOT_BASES = 3_000_000;

/** How many slices are fetched in a turn: fewer where each inflates blocks. */
export const WIDTHS = [
  { what: '1 kb', width: 1000, counts: { fast: 4000, inflating: 200 }, budgets: { fasta: 1, bgzfHot: 5 } },
  { what: '1 Mb', width: 1_000_000, counts: { fast: 16, inflating: 6 }, budgets: {} },
];

/** Each with the peers of the same work; `inflates` and `isHot` say how many slices are asked for, and where. */
export const KINDS = {
  fasta: { what: 'FASTA', peers: ['fasta'] },
  bgzf: { what: 'bgzipped, no block kept', inflates: true, peers: ['bgzf'] },
  bgzfHot: { what: 'bgzipped and hot', isHot: true, peers: ['bgzfHot', 'bgzfHotKept'] },
  twoBit: { what: '2bit', peers: ['fasta'] },
  store: { what: 'native store', peers: ['fasta'] },
};

/** First bases of slices, the same each time: anywhere, or where the kept blocks reach. */
export function randomStarts(count, { width, isHot = false }) {
  const random = createRandom(11);
  const room = (isHot ? HOT_BASES : LENGTH) - width + 1;
  return Array.from({ length: count }, () => random() % room);
}

/** Rows for both widths; without `htslib` there is none. */
export async function measureSlices({ paths, bases, md5, htslib }) {
  if (htslib === undefined) return [];
  const sequences = await openSequences(paths, md5);
  const faidx = {
    fasta: { ...faidxOf(htslib, { path: paths.fasta, name: NAME }), what: 'FASTA' },
    bgzf: { ...faidxOf(htslib, { path: paths.bgzf, name: NAME }), what: 'bgzipped', inflates: true },
    bgzfHot: { ...faidxOf(htslib, { path: paths.bgzf, name: NAME }), what: 'bgzipped', inflates: true, isHot: true },
    bgzfHotKept: {
      ...faidxOf(htslib, { path: paths.bgzf, name: NAME, cachedBytes: 2 ** 22 }),
      what: 'bgzipped, told to keep 4 MiB',
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
  const contenders = [
    ...Object.entries(KINDS).map(([kind, options]) => {
      const starts = startsFor(options);
      const measure = async () => (await timed(() => readAll(sequences[kind], starts, width))) / starts.length;
      return { name: kind, measure };
    }),
    ...Object.entries(faidx).map(([kind, peer]) => {
      const starts = startsFor(peer);
      return { name: `faidx ${kind}`, measure: () => peer.secondsPerSlice(starts, width) };
    }),
  ];
  const { ours, peers } = await takeTurns(contenders, { rounds: 5 });
  const seconds = Object.fromEntries([ours, ...peers].map((contender) => [contender.name, contender.seconds]));
  const rows = [];
  for (const [kind, { what: source, peers: kinds, ...options }] of Object.entries(KINDS)) {
    const starts = startsFor(options).slice(0, counts.inflating);
    const expected = digest(starts.map((start) => bases.subarray(start, start + width)));
    const equal = await isEqual({
      sequence: sequences[kind],
      faidx: kinds.map((peer) => faidx[peer]),
      starts,
      width,
      expected,
    });
    const named = kinds.map((peer) => ({
      name: `${htslib.name} faidx, ${faidx[peer].what}`,
      seconds: seconds[`faidx ${peer}`],
    }));
    rows.push(
      throughputRows(
        {
          name: `${what} slices: ${source}`,
          unit: 'slices/s',
          amount: 1,
          budgets: named.map(({ name }, rank) => ({
            peers: [name],
            budget: rank === 0 ? (budgets[kind] ?? null) : null,
          })),
        },
        { ours: { name: 'ours', seconds: seconds[kind] }, peers: named, equal },
      ),
    );
  }
  return rows.flat();
}

async function readAll(sequence, starts, width) {
  let length = 0;
  for (const start of starts) length += (await sequence.read({ start, end: start + width })).length;
  return length;
}

/** Whether all slices are the bases that were written; htslib gives them in the letter case of the file. */
async function isEqual({ sequence, faidx, starts, width, expected }) {
  const slices = [];
  for (const start of starts) slices.push(await sequence.read({ start, end: start + width }));
  if (digest(slices) !== expected) return false;
  for (const peer of faidx) {
    const found = await peer.bases(starts, width);
    if (digest(found.map((bases) => Buffer.from(bases.toUpperCase()))) !== expected) return false;
  }
  return true;
}

function digest(slices) {
  const hash = createHash('sha256');
  for (const slice of slices) hash.update(slice);
  return hash.digest('hex');
}
