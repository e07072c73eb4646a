// Measures the records of a VCF file with all of their values, and files of variants converted.
import { createReadStream, writeFileSync } from 'node:fs';
import { createBcfToVcf, createVcfToBcf } from '@htskit/formats';
import { indexVcf } from '@htskit/indexes';
import { openVariants } from '@htskit/records';
import { gmodPeer, importGmod } from '../gmod.mjs';
import { race, throughputRows } from '../harness.mjs';
import { findCommand, outputOf, runCommand } from '../installed-command.mjs';
import { makeFiles } from '../rewrite/variants.mjs';
import { measurePanel, ourPanel } from './regions.mjs';

const { TabixIndexedFile } = await importGmod('@gmod/tabix');
const { default: VcfParser } = await importGmod('@gmod/vcf');

const END = 2 ** 29;
/** DESIGN: a conversion reaches half of the speed of bcftools. */
const CONVERSION_BUDGET = 0.5;

/** Returns rows for VCF, and for BCF and VCF converted, if bcftools is installed to write the files. */
export async function measureVariants(folder) {
  const bcftools = findCommand('bcftools');
  if (bcftools === undefined) return [];
  const [vcf, bcf] = await makeFiles(folder, bcftools);
  writeFileSync(`${vcf.path}.tbi`, await indexVcf(createReadStream(vcf.path)));
  return [
    await measureVcf(vcf, bcftools),
    await measureVcfRegions(vcf),
    await measureConversions(vcf, bcf, bcftools),
  ].flat();
}

async function measureVcf({ path }, bcftools) {
  const peer = `${gmodPeer('@gmod/tabix')} + ${gmodPeer('@gmod/vcf')}`;
  const program = `${bcftools.name} view`;
  const contenders = [
    { name: 'ours', run: () => countValues(oursOf(path)), result: () => linesOf(oursOf(path)) },
    { name: peer, run: () => countValues(gmodOf(path)), result: () => linesOf(gmodOf(path)) },
    { name: program, run: () => runCommand(bcftools.command, ['view', '-H', path]), result: null },
  ];
  const work = { name: 'VCF, all values', unit: 'records/s', amount: await (await openVariants(path)).count() };
  const budgets = [
    { peers: [peer], budget: null },
    { peers: [program], budget: null },
  ];
  return throughputRows({ ...work, budgets }, await race(contenders, { rounds: 3 }));
}

async function measureVcfRegions({ path }) {
  const file = await openVariants(path);
  let length = 0;
  for await (const { end } of file.records()) length = end;
  return measurePanel({
    format: 'VCF',
    length,
    ours: async function* records(regions) {
      yield* ourPanel(await openVariants(path), regions, ({ start, ref }) => `${start + 1} ${ref}\n`);
    },
    peer: async function* records(regions) {
      const tabix = new TabixIndexedFile({ path, tbiPath: `${path}.tbi` });
      const parser = new VcfParser({ header: await tabix.getHeader() });
      for (const { referenceName, start, end } of regions) {
        const lines = [];
        await tabix.getLines(referenceName, start, end, (line) => lines.push(line));
        for (const { POS, REF } of lines.map((line) => parser.parseLine(line))) yield `${POS} ${REF}\n`;
      }
    },
    peerNames: ['@gmod/tabix', '@gmod/vcf'],
  });
}

async function* oursOf(path) {
  const file = await openVariants(path);
  const { samples } = file.header;
  for await (const record of file.records()) {
    const { start, id, ref, alt, quality, filters, infoKeys, formatKeys } = record;
    const values = [start + 1, id, ref, alt, quality, filters];
    for (const key of infoKeys) values.push(record.info(key));
    for (const [sample] of samples.entries()) {
      for (const key of formatKeys) values.push(record.formatValue(sample, key));
    }
    yield values;
  }
  await file.close();
}

async function* gmodOf(path) {
  const file = new TabixIndexedFile({ path, tbiPath: `${path}.tbi` });
  const parser = new VcfParser({ header: await file.getHeader() });
  const lines = [];
  await file.getLines('chr1', 0, END, (line) => lines.push(line));
  for (const line of lines) {
    const record = parser.parseLine(line);
    const { POS, ID, REF, ALT, QUAL, FILTER, INFO } = record;
    const values = [POS, ID, REF, ALT, QUAL, FILTER, ...Object.values(INFO)];
    for (const sample of Object.values(record.SAMPLES())) values.push(...Object.values(sample));
    yield values;
  }
}

async function measureConversions(vcf, bcf, bcftools) {
  const rows = [];
  for (const { from, create, output, to } of [
    { from: bcf, to: 'VCF', create: createBcfToVcf, output: '-Ov' },
    { from: vcf, to: 'BCF', create: createVcfToBcf, output: '-Ou' },
  ]) {
    const args = ['view', '--no-version', output, from.path];
    const contenders = [
      { name: 'ours', run: () => convert(from.path, create) },
      {
        name: `${bcftools.name} view ${output}`,
        run: () => runCommand(bcftools.command, args),
        result: () => outputOf(bcftools.command, args),
      },
    ];
    const work = { name: `${from.format} as ${to}`, unit: 'MB/s', amount: from.size / 1e6 };
    const budgets = [{ budget: CONVERSION_BUDGET }];
    rows.push(...throughputRows({ ...work, budgets }, await race(contenders, { rounds: 5 })));
  }
  return rows;
}

async function* convert(path, create) {
  const file = await openVariants(path);
  const converter = create({ text: file.headerText });
  yield converter.header;
  for await (const bytes of file.recordBytes()) yield* converter.push(bytes);
  yield* converter.finish();
  await file.close();
}

/** Consumes the values of all records, so that no work can be optimised away. */
async function countValues(records) {
  let length = 0;
  for await (const values of records) {
    for (const value of values) length += typeof value === 'number' ? value & 1 : (value?.length ?? 0);
  }
  return String(length);
}

async function* linesOf(records) {
  for await (const values of records) yield `${values.map(toText).join('\t')}\n`;
}

/** The libraries differ in what they wrap in arrays. */
function toText(value) {
  return [value ?? '.']
    .flat()
    .map((each) => each ?? '.')
    .join();
}
