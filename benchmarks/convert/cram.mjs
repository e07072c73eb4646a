// Measures a CRAM file converted to BAM beside samtools view -b of the same file.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { parseBamHeader } from '@htskit/formats';
import { DeliveryWorkers, FileLoader, planFile, streamPlan } from '@htskit/htsget';
import { fileSource } from '@htskit/storage/file';
import { race, throughputRows } from '../harness.mjs';
import { findCommand, outputOf, runCommand } from '../installed-command.mjs';
import { makeBamFile } from '../plan/region-files.mjs';

const BYTES = 20_000_000;
/** Stored bytes of each part that is converted at once. */
const PART_BYTES = 500_000;
const REGION = { start: 100_000, end: 110_000 };
const BUDGETS = { oneThread: 0.5, allProcessors: 1, region: 1, bytes: 0.952 };

/** Returns rows for the whole file on one thread and on all processors, and for regions of 10 kb, if samtools is installed. */
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
      ...(await measureOverFetch(file, samtools)),
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
  const isOne = threads === 1;
  const name = `CRAM to BAM, ${isOne ? 'one thread' : 'all processors'}`;
  const budgets = [{ budget: isOne ? BUDGETS.oneThread : BUDGETS.allProcessors }];
  const work = { name, unit: 'records/s', amount: file.records, budgets };
  const rows = throughputRows(work, await race(contenders, { rounds: 3 }));
  await Promise.all([stored.data.close(), stored.index.close()]);
  return rows;
}

/** Yields the bytes of a plan in order. As many parts as there are threads are converted at the same time. */
async function* convertParts(plan, source, { workers, threads }) {
  const convert = (segment) => collect(streamPlan({ ...plan, segments: [segment] }, source, { workers }));
  for (let at = 0; at < plan.segments.length; at += 2 * threads) {
    yield* await Promise.all(plan.segments.slice(at, at + 2 * threads).map(convert));
  }
}

async function* readBack(chunks, { file, samtools }) {
  const path = `${file.path}.bam`;
  writeFileSync(path, await collect(chunks));
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
  const budgets = [{ budget: BUDGETS.region }];
  const work = { name: 'CRAM to BAM, a region of 10 kb', unit: 'regions/s', amount: 1, budgets };
  const rows = throughputRows(work, await race(contenders, { rounds: 15 }));
  await Promise.all([stored.data.close(), stored.index.close()]);
  return rows;
}

/** Regions of 10 kb whose bytes are compared with the least that their records need. */
const OVER_FETCH_REGIONS = 10;
const PEER = 'smallest file with the same records';

/** Returns a row for the bytes of regions, against a file of the header and the records that samtools prints for each. */
async function measureOverFetch(file, samtools) {
  const { referenceName } = file;
  const stored = open(file);
  const loader = new FileLoader();
  const ratios = [];
  let equal = true;
  for (let index = 0; index < OVER_FETCH_REGIONS; index++) {
    const start = REGION.start + 13_000 * index;
    const end = start + REGION.end - REGION.start;
    const plan = await planFile(stored, { format: 'BAM', regions: [{ referenceName, start, end }] }, { loader });
    const answer = await collect(streamPlan(plan, stored.data));
    const data = gunzipSync(answer);
    const { byteLength } = parseBamHeader(data);
    const parts = [data.subarray(0, byteLength), data.subarray(byteLength)].map((part) => deflateBlocks(part).length);
    ratios.push(answer.length / (parts[0] + parts[1] + EOF_MARKER.length));
    const region = `${referenceName}:${start + 1}-${end}`;
    const printed = outputOf(samtools.command, ['view', file.path, region]);
    const read = readBack([answer], { file, samtools });
    equal &&= (await collect(read)).equals(await collect(printed));
  }
  await Promise.all([stored.data.close(), stored.index.close()]);
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)];
  return [
    {
      name: `CRAM to BAM, bytes of ${OVER_FETCH_REGIONS} regions of 10 kb: median`,
      unit: 'x minimal bytes',
      ours: Number(median.toPrecision(3)),
      peers: { [PEER]: 1 },
      peer: PEER,
      ratio: Number((1 / median).toPrecision(3)),
      budget: BUDGETS.bytes,
      equal,
    },
  ];
}

async function collect(chunks) {
  const parts = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}
