// Measures fields as columns.
import { gmodMajor, gmodPeer } from '../gmod.mjs';
import { MEASURES, nodeTask, raceTasks, speedRows, wholeProcess } from './race-tasks.mjs';
import { noodlesOf } from './whole-files.mjs';

/** Returns rows for all fields of BAM and, if it was written, the CIGARs of CRAM. */
export async function measureColumns({ paths, counts, samtools }) {
  const path = paths.short;
  const natives = [
    samtools && wholeProcess(`${samtools.name} view`, samtools.command, ['view', path]),
    noodlesOf(path),
  ];
  const raced = await raceTasks([
    nodeTask('ours', ['columns', 'bamFields'], { path }),
    nodeTask('ours, records()', ['columns', 'bamRecords'], { path }),
    ...natives,
  ]);
  const racedAhead = await raceTasks([nodeTask('ours', ['columns', 'bamFields'], { path, workers: 1 }), ...natives]);
  const name = 'BAM, all fields as columns';
  const budgets = [
    { peer: 'noodles', budget: 0.6 },
    { peer: 'samtools', budget: 0.8 },
  ];
  const work = { amount: counts.short, budgets };
  const rows = [
    ...speedRows({ ...work, name: `${name}, short reads`, unit: 'records/CPU s' }, raced),
    ...speedRows(
      { ...work, name: `${name}, a worker: busiest thread`, unit: 'records/s', measure: MEASURES.busiest },
      racedAhead,
    ),
  ];
  return paths.shortCram === undefined ? rows : [...rows, ...(await measureCigars({ paths, counts }))];
}

/** The version of npm lists no CIGARs. */
async function measureCigars({ paths, counts }) {
  if (gmodMajor('@gmod/cram') < 10) return [];
  const options = { path: paths.shortCram, genome: paths.genome };
  const raced = await raceTasks([
    nodeTask('ours', ['columns', 'cramCigars'], options),
    nodeTask(gmodPeer('@gmod/cram'), ['gmod', 'cramCigars'], options),
  ]);
  const work = { name: 'CRAM 3.0, CIGARs as columns', unit: 'records/CPU s', amount: counts.short };
  return speedRows({ ...work, budgets: [{ peer: '@gmod/cram', budget: 2.5 }] }, raced);
}
