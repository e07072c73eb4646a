// Measures files that are read with workers: the time is that of the busiest thread.
import { gmodMajor, gmodPeer } from '../gmod.mjs';
import { amountRows, MEASURES, nodeTask, raceTasks, speedRows, wholeProcess } from './race-tasks.mjs';

/** The longest stall of the event loop. */
const STALL_MILLISECONDS = 20;

/** Returns rows for BAM and, if it was written, CRAM, and for the stalls of the event loop meanwhile. */
export async function measureWorkers(alignments) {
  const rows = [await measureBam(alignments)];
  if (alignments.paths.shortCram !== undefined) rows.push(await measureCram(alignments));
  return rows.flat();
}

async function measureBam({ paths: { short: path }, counts, samtools }) {
  const peer = gmodPeer('@gmod/bam');
  const raced = await raceTasks([
    nodeTask('ours', ['ours', 'bamFields'], { path, workers: 1, isWatched: true }),
    nodeTask(peer, ['gmod', 'bamFields'], { path, isWatched: true }),
    samtools && wholeProcess(`${samtools.name} view`, samtools.command, ['view', path]),
  ]);
  const work = { name: 'BAM, all fields, a worker: busiest thread', unit: 'records/s', amount: counts.short };
  const budgets = [
    { peer: 'samtools', budget: 0.5 },
    { peer: '@gmod/bam', budget: null },
  ];
  return [...speedRows({ ...work, measure: MEASURES.busiest, budgets }, raced), ...stallRows(raced)];
}

function stallRows(raced) {
  const work = { name: 'BAM, all fields, a worker: longest stall of the event loop', unit: 'ms', scale: 1 };
  const rows = amountRows({ ...work, measure: MEASURES.stall, budgets: [] }, raced);
  return rows.map((row) => ({ ...row, budget: Number((row.peers[row.peer] / STALL_MILLISECONDS).toPrecision(3)) }));
}

async function measureCram({ paths, counts }) {
  const rows = [];
  for (const [version, path] of [
    ['3.0', paths.shortCram],
    ['3.1', paths.shortCram31],
  ]) {
    const options = { path, genome: paths.genome, hasCigars: gmodMajor('@gmod/cram') >= 10 };
    const raced = await raceTasks([
      nodeTask('ours', ['ours', 'cramFields'], { ...options, workers: 2 }),
      nodeTask(gmodPeer('@gmod/cram'), ['gmod', 'cramFields'], options),
    ]);
    const work = {
      name: `CRAM ${version}, all fields, two workers: busiest thread`,
      unit: 'records/s',
      amount: counts.short,
    };
    rows.push(speedRows({ ...work, measure: MEASURES.busiest, budgets: [{ peer: '@gmod/cram', budget: 1.5 }] }, raced));
  }
  return rows.flat();
}
