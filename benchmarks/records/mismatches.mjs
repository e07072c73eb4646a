// Measures where reads differ from their reference.
import { gmodMajor, gmodPeer } from '../gmod.mjs';
import { noteNotMeasured } from '../not-measured.mjs';
import { nodeTask, raceTasks, speedRows } from './race-tasks.mjs';

/** The first versions that list mismatches. */
const FIRST_VERSIONS = { '@gmod/bam': 8, '@gmod/cram': 10 };

/** Returns a row for each file. The versions of npm have no mismatches. */
export async function measureMismatches({ paths, counts }) {
  const rows = [];
  for (const { name, peer, task, path, count, budget } of [
    {
      name: 'BAM, mismatches of short reads',
      peer: '@gmod/bam',
      task: 'bamMismatches',
      path: paths.short,
      count: counts.short,
      budget: 1.5,
    },
    {
      name: 'BAM, mismatches of long reads',
      peer: '@gmod/bam',
      task: 'bamMismatches',
      path: paths.long,
      count: counts.long,
      budget: 1.2,
    },
    {
      name: 'CRAM, mismatches of short reads',
      peer: '@gmod/cram',
      task: 'cramMismatches',
      path: paths.shortCram,
      count: counts.short,
      budget: 1.5,
    },
  ]) {
    if (path === undefined) continue;
    if (gmodMajor(peer) < FIRST_VERSIONS[peer]) {
      noteNotMeasured(`mismatches of ${peer}`, 'newer packages in GMOD');
      continue;
    }
    const options = { path, genome: paths.genome };
    const raced = await raceTasks([
      nodeTask('ours', [task.startsWith('bam') ? 'ours' : 'columns', task], options),
      nodeTask(gmodPeer(peer), ['gmod', task], options),
    ]);
    const work = { name, unit: 'records/CPU s', amount: count };
    rows.push(speedRows({ ...work, budgets: [{ peer, budget }] }, raced));
  }
  return rows.flat();
}
