// Measures downloads of a whole chromosome over HTTP: the speed, and the memory that the server takes.
import { createHash } from 'node:crypto';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { importFasta } from '@htskit/sequences';
import { fileSource } from '@htskit/storage/file';
import { folderStore } from '@htskit/storage/folder';
import { openConnections } from '../connections.mjs';
import { LINE_BASES, LINE_LENGTH, makeFastaLike, spell } from '../fasta-like.mjs';
import { throughputRows } from '../harness.mjs';
import { smallerRows, takeTurns, timed } from '../turns.mjs';
import { withServer } from './server.mjs';

/** Some lines, repeated: 150 Mb, the size of a medium human chromosome. */
const [PIECES, PIECE_LINES] = [15, 166_667];
const BASES = PIECES * PIECE_LINES * LINE_BASES;
const KINDS = { fasta: 'FASTA', store: 'native store' };
const PEER = `node:http ${process.versions.node}, a file piped`;
/** Milliseconds between two samples of the memory of the server. */
const LOOK_MILLISECONDS = 20;

/** Returns rows for the download and for the memory of the server. The latter is also printed to standard error. */
export async function measureDownload(folder) {
  const { md5, ...paths } = await writeChromosome(folder);
  return withServer(paths, async ({ port, residentBytes }) => {
    const connections = await openConnections(port, 1);
    const file = statSync(paths.fasta).size;
    const pathOf = (kind) => `/${kind}/sequence/${md5}`;
    // Once unmeasured, for the code and the memory of a server that is warm.
    const equal = {};
    for (const kind of Object.keys(KINDS))
      equal[kind] = (await md5Of(`http://127.0.0.1:${port}${pathOf(kind)}`)) === md5;
    const memory = watch(residentBytes);
    const contenders = [
      ...Object.keys(KINDS).map((kind) => ({
        name: kind,
        measure: async () => (await timed(() => connections.get([pathOf(kind)], BASES))) / BASES,
      })),
      { name: PEER, measure: async () => (await timed(() => connections.get(['/file'], file))) / file },
    ];
    const raced = await takeTurns(contenders, { rounds: 2 });
    const { before, most } = await memory.end();
    connections.close();
    console.error(
      `server: ${toMegabytes(before)} MB resident before, at most ${toMegabytes(most)} MB during downloads of ${toMegabytes(BASES)} MB`,
    );
    return [...speedRows(raced, equal), ...memoryRows({ before, most })];
  });
}

function speedRows({ ours, peers }, equal) {
  const piped = peers.filter(({ name }) => name === PEER);
  return [ours, ...peers]
    .filter(({ name }) => name in KINDS)
    .flatMap(({ name, seconds }) =>
      throughputRows(
        {
          name: `${toMegabytes(BASES)} Mb whole over HTTP: ${KINDS[name]}`,
          unit: 'MB/s',
          amount: 1e-6,
          budgets: [{ budget: null }],
        },
        { ours: { name: 'ours', seconds }, peers: piped, equal: equal[name] },
      ),
    );
}

/** The growth of the server must be a fraction of a sequence. */
function memoryRows({ before, most }) {
  return smallerRows({ name: 'memory that downloads take', unit: 'MB', budgets: {}, equal: true }, [
    ['ours', Math.max(most - before, 1e5) / 1e6],
    ['the sequence', BASES / 1e6],
  ]);
}

async function writeChromosome(folder) {
  const piece = makeFastaLike(PIECE_LINES * LINE_LENGTH, 13);
  const bases = spell(piece);
  const hash = createHash('md5');
  const fasta = join(folder, 'chromosome.fa');
  const file = openSync(fasta, 'w');
  writeSync(file, '>chromosome\n');
  for (let count = 0; count < PIECES; count += 1) {
    writeSync(file, piece);
    hash.update(bases);
  }
  closeSync(file);
  const store = join(folder, 'chromosome-store');
  const data = fileSource(fasta);
  await importFasta({ store: folderStore(store), data });
  await data.close();
  return { fasta, store, md5: hash.digest('hex') };
}

async function md5Of(url) {
  const hash = createHash('md5');
  for await (const chunk of (await fetch(url)).body) hash.update(chunk);
  return hash.digest('hex');
}

/** Samples the memory of the server until `end` is called, which returns the first and the largest sample. */
function watch(residentBytes) {
  let isOver = false;
  let before = 0;
  let most = 0;
  const looks = (async () => {
    before = await residentBytes();
    while (!isOver) {
      most = Math.max(most, await residentBytes());
      await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
    }
  })();
  return {
    async end() {
      isOver = true;
      await looks;
      return { before, most };
    },
  };
}

function toMegabytes(bytes) {
  return Math.round(bytes / 1e6);
}
