// Measures 200 regions of 5 kb of one file that is opened once: the first time, and again.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { gmodPeer } from '../gmod.mjs';
import { noteNotMeasured } from '../not-measured.mjs';
import { createRandom } from '../random.mjs';
import { MEASURES, nodeTask, programTask, raceTasks, speedRows } from './race-tasks.mjs';

const COUNT = 200;
const REGION_BASES = 5000;
const PROGRAM = fileURLToPath(new URL('regions.py', import.meta.url));
/** The Python that has pysam. */
const { PYSAM } = process.env;

/** Returns rows for BAM and, if it was written, for CRAM. */
export async function measurePanels({ paths, length }) {
  const random = createRandom(11);
  const regions = Array.from({ length: COUNT }, () => {
    const start = random() % (length - REGION_BASES);
    return { start, end: start + REGION_BASES };
  });
  const version = pysamVersion();
  const panel = (format, path, budgets) =>
    measurePanel({ format, version, budgets, options: { path, genome: paths.genome, regions } });
  const rows = [await panel('BAM', paths.short, { cold: [['@gmod/bam', 3]], warm: [['@gmod/bam', 1]] })];
  if (paths.shortCram !== undefined) {
    const budgets = {
      cold: [
        ['@gmod/cram', 2],
        ['pysam', 1],
      ],
      warm: [['@gmod/cram', 1]],
    };
    rows.push(await panel('CRAM', paths.shortCram, budgets));
  }
  return rows.flat();
}

async function measurePanel({ format, version, budgets, options }) {
  const task = `${format.toLowerCase()}Regions`;
  const raced = await raceTasks([
    nodeTask('ours', ['ours', task], { ...options, times: 2 }),
    nodeTask(gmodPeer(`@gmod/${format.toLowerCase()}`), ['gmod', task], { ...options, times: 2 }),
    version &&
      programTask(`pysam ${version}`, PYSAM, [PROGRAM, options.path, options.genome, JSON.stringify(options.regions)]),
  ]);
  return [
    ['cold', MEASURES.cpu],
    ['warm', MEASURES.warm],
  ].flatMap(([state, measure]) => {
    const aims = [...budgets[state], ['pysam', null]].map(([peer, budget]) => ({ peer, budget }));
    const unique = aims.filter(({ peer }, index) => aims.findIndex((each) => each.peer === peer) === index);
    const name = `${format}, ${COUNT} regions of 5 kb, ${state}`;
    return speedRows({ name, unit: 'regions/CPU s', amount: COUNT, budgets: unique, measure }, raced);
  });
}

function pysamVersion() {
  if (PYSAM === undefined) {
    noteNotMeasured('pysam', 'the path of a Python that has it in PYSAM');
    return undefined;
  }
  return execFileSync(PYSAM, [PROGRAM, '--version'], { encoding: 'utf8' }).trim();
}
