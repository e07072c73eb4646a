// Measures all records of BAM and CRAM files with all of their fields, from opening the file on.
import { gmodMajor, gmodPeer } from '../gmod.mjs';
import { noodles } from '../noodles/noodles.mjs';
import { amountRows, MEASURES, nodeTask, raceTasks, speedRows, wholeProcess } from './race-tasks.mjs';

const [BAM, CRAM] = ['@gmod/bam', '@gmod/cram'];

/** Returns rows for the speed on one thread and for the memory. */
export async function measureBam({ paths, counts, samtools }) {
  const rows = [];
  for (const [kind, budget] of [
    ['short', 1.6],
    ['long', null],
  ]) {
    const path = paths[kind];
    const raced = await raceTasks([
      nodeTask('ours', ['ours', 'bamFields'], { path }),
      nodeTask(gmodPeer(BAM), ['gmod', 'bamFields'], { path }),
      samtools && wholeProcess(`${samtools.name} view`, samtools.command, ['view', path]),
      noodlesOf(path),
    ]);
    const work = { name: `BAM, all fields, ${kind} reads`, unit: 'records/CPU s', amount: counts[kind] };
    const budgets = [
      { peer: BAM, budget },
      { peer: 'samtools', budget: null },
      { peer: 'noodles', budget: null },
    ];
    rows.push(speedRows({ ...work, budgets }, raced));
    if (kind === 'short') rows.push(memoryRows('BAM', BAM, raced));
  }
  return rows.flat();
}

/** Returns rows for the speed on one thread and for the memory. The files were written by samtools. */
export async function measureCram({ paths, counts, samtools }) {
  const rows = [];
  for (const [name, file, count] of [
    ['CRAM 3.0, all fields, short reads', 'shortCram', counts.short],
    ['CRAM 3.1, all fields, short reads', 'shortCram31', counts.short],
    ['CRAM 3.1, all fields, long reads', 'longCram', counts.long],
  ]) {
    const options = { path: paths[file], genome: paths.genome, hasCigars: gmodMajor(CRAM) >= 10 };
    const raced = await raceTasks([
      nodeTask('ours', ['ours', 'cramFields'], options),
      nodeTask(gmodPeer(CRAM), ['gmod', 'cramFields'], options),
      wholeProcess(`${samtools.name} view`, samtools.command, ['view', '-T', paths.genome, paths[file]]),
    ]);
    const budgets = [
      { peer: CRAM, budget: 0.9 },
      { peer: 'samtools', budget: null },
    ];
    rows.push(speedRows({ name, unit: 'records/CPU s', amount: count, budgets }, raced));
    if (file === 'shortCram') rows.push(memoryRows('CRAM 3.0', CRAM, raced));
  }
  return rows.flat();
}

function memoryRows(format, peer, raced) {
  const work = { name: `${format}, all fields: memory of the process at its peak`, unit: 'MB', scale: 1e6 };
  return amountRows({ ...work, measure: MEASURES.peak, budgets: [{ peer, budget: 1.5 }] }, raced);
}

/** Returns noodles as a contender that decodes all fields; undefined without it. */
export function noodlesOf(path) {
  const peer = noodles('noodles-bam', 'records', path);
  return peer && wholeProcess(peer.name, peer.command, peer.args);
}
