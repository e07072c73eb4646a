// Measures a CRAM file converted to BAM beside samtools view -b of the same file.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { DeliveryWorkers, FileLoader, planFile, streamPlan } from '@htskit/htsget';
import { fileSource } from '@htskit/storage/file';
import { race, throughputRows } from '../harness.mjs';
import { findCommand, outputOf, runCommand } from '../installed-command.mjs';
import { makeBamFile } from '../plan/region-files.mjs';

const BYTES = 20_000_000;
/** Stored bytes of each part that is converted at once. */
const PART_BYTES = 500_000;
const REGION = { start: 100_000, end: 110_000 };

/** Returns rows for the whole file on one thread and on all processors, and for a region of 10 kb, if samtools is installed. */
export async function measureCram(folder) {
  const samtools = findCommand('samtools');
  if (samtools === undefined) return [];
  const file = await writeCram(folder, samtools);
  const workers = new DeliveryWorkers();
  try {
    return [
      ...(await measureWhole(file, { threads: 1, samtools })),
      ...(await measureWhole(file, { threads: availableParallelism(), samtools, workers })),
      ...(await measureRegion(file, samtools)),
    ];
  } finally {
    await workers.close();
  }
}

/** Writes a file that needs no reference. */
async function writeCram(folder, { command }) {
  const { bytes } = makeBamFile({ length: BYTES, count: 0 });
  const [bam, path] = [join(folder, 'reads.bam'), join(folder, 'reads.cram')];
  writeFileSync(bam, bytes);
  // The header of the generated file lacks its read groups.
  const options = ['-x', 'RG', '--output-fmt-option', 'no_ref=1'];
  await runCommand(command, ['view', '--no-PG', '-C', ...options, '-o', path, bam]);
  await runCommand(command, ['index', path]);
  const records = Number(await textOf(command, ['view', '-c', path]));
  const statistics = (await textOf(command, ['idxstats', path])).split('\n').map((line) => line.split('\t'));
  const [referenceName] = statistics.reduce((most, each) => (Number(each[2]) > Number(most[2]) ? each : most));
  return { path, records, referenceName };
}

async function textOf(command, args) {
  let text = '';
  for await (const chunk of outputOf(command, args)) text += chunk.toString('latin1');
  return text;
}

function open({ path }) {
  return { format: 'CRAM', data: fileSource(path), index: fileSource(`${path}.crai`) };
}

async function measureWhole(file, { threads, samtools, workers }) {
  const stored = open(file);
  const loader = new FileLoader({ limits: { convertedBytes: PART_BYTES } });
  const plan = await planFile(stored, { format: 'BAM' }, { loader });
  const peerArgs = ['view', '-b', '-@', String(threads - 1), file.path];
  const contenders = [
    {
      name: 'ours',
      run: () => convertParts(plan, stored.data, { workers, threads }),
      result: () => readBack(convertParts(plan, stored.data, { workers, threads }), { file, samtools }),
    },
    {
      name: `samtools view -b -@ ${threads - 1}`,
      run: () => runCommand(samtools.command, peerArgs),
      result: () => outputOf(samtools.command, ['view', file.path]),
    },
  ];
  const name = `CRAM to BAM, ${threads === 1 ? 'one thread' : 'all processors'}`;
  const work = { name, unit: 'records/s', amount: file.records, budgets: [{ budget: null }] };
  const rows = throughputRows(work, await race(contenders, { rounds: 3 }));
  await Promise.all([stored.data.close(), stored.index.close()]);
  return rows;
}

/** Yields the bytes of a plan in order. As many parts as there are threads are converted at the same time. */
async function* convertParts(plan, source, { workers, threads }) {
  const convert = async (segment) => {
    const chunks = [];
    for await (const chunk of streamPlan({ ...plan, segments: [segment] }, source, { workers })) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  for (let at = 0; at < plan.segments.length; at += 2 * threads) {
    yield* await Promise.all(plan.segments.slice(at, at + 2 * threads).map(convert));
  }
}

async function* readBack(chunks, { file, samtools }) {
  const parts = [];
  for await (const chunk of chunks) parts.push(chunk);
  const path = `${file.path}.bam`;
  writeFileSync(path, Buffer.concat(parts));
  yield* outputOf(samtools.command, ['view', path]);
}

async function measureRegion(file, samtools) {
  const { referenceName } = file;
  const stored = open(file);
  const loader = new FileLoader();
  const convert = async function* () {
    const query = { format: 'BAM', regions: [{ referenceName, ...REGION }] };
    yield* streamPlan(await planFile(stored, query, { loader }), stored.data);
  };
  const region = `${referenceName}:${REGION.start + 1}-${REGION.end}`;
  const contenders = [
    { name: 'ours', run: convert, result: () => readBack(convert(), { file, samtools }) },
    {
      name: 'samtools view -b, a process',
      run: () => runCommand(samtools.command, ['view', '-b', file.path, region]),
      result: () => outputOf(samtools.command, ['view', file.path, region]),
    },
  ];
  const work = { name: 'CRAM to BAM, a region of 10 kb', unit: 'regions/s', amount: 1, budgets: [{ budget: null }] };
  const rows = throughputRows(work, await race(contenders, { rounds: 15 }));
  await Promise.all([stored.data.close(), stored.index.close()]);
  return rows;
}
