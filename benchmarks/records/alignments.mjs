// Measures the records of a BAM and of a CRAM file, each with all of its fields, from opening the file on.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BamFile } from '@gmod/bam';
import { CraiIndex, IndexedCramFile } from '@gmod/cram';
import { AlignmentRecord } from '@htskit/formats';
import { indexBam } from '@htskit/indexes';
import { openAlignments } from '@htskit/records';
import { npmPeer, race, throughputRows } from '../harness.mjs';
import { findCommand, runCommand } from '../installed-command.mjs';
import { makeBamFile } from '../plan/region-files.mjs';

const BYTES = 20_000_000;
/** The end of all regions: no reference is longer. */
const END = 2 ** 28;
/** DESIGN: at least twice as fast as the peers on npm. */
const BUDGET = 2;
const TAGS = ['NM', 'MD', 'AS', 'XS', 'RG'];

/** Returns rows for BAM and, if samtools is installed to write it, CRAM. */
export async function measureAlignments(folder) {
  const path = join(folder, 'reads.bam');
  const { bytes } = makeBamFile({ length: BYTES, count: 0 });
  writeFileSync(path, bytes);
  writeFileSync(`${path}.bai`, await indexBam([bytes]));
  const samtools = findCommand('samtools');
  const rows = await measureBam(path, samtools);
  if (samtools === undefined) return rows;
  const cram = join(folder, 'reads.cram');
  // The reads differ from the consensus that is embedded as their reference. All tags are stored, except for RG, which needs a
  // read group in the header.
  const options = ['embed_ref=2', 'store_md=1', 'store_nm=1'].flatMap((option) => ['--output-fmt-option', option]);
  await runCommand(samtools.command, ['view', '-C', '-x', 'RG', ...options, '-o', cram, path]);
  await runCommand(samtools.command, ['index', cram]);
  return [...rows, ...(await measureCram(cram, samtools))];
}

async function measureBam(path, samtools) {
  const name = npmPeer('@gmod/bam');
  const contenders = [
    { name: 'ours', run: () => countFields(oursOf(path)), result: () => linesOf(oursOf(path)) },
    { name, run: () => countFields(gmodBam(path)), result: () => linesOf(gmodBam(path)) },
    ...moreContenders({ path, samtools }),
  ];
  const work = { name: 'BAM, all fields', unit: 'records/s', amount: await countOf(path) };
  return throughputRows({ ...work, budgets: budgetsOf(name, samtools) }, await race(contenders, { rounds: 5 }));
}

async function measureCram(path, samtools) {
  const name = npmPeer('@gmod/cram');
  const contenders = [
    { name: 'ours', run: () => countFields(oursOf(path)), result: () => linesOf(oursOf(path)) },
    { name, run: () => countFields(gmodCram(path)), result: () => linesOf(gmodCram(path)) },
    ...moreContenders({ path, samtools }),
  ];
  const work = { name: 'CRAM, all fields', unit: 'records/s', amount: await countOf(path) };
  return throughputRows({ ...work, budgets: budgetsOf(name, samtools) }, await race(contenders, { rounds: 5 }));
}

/** One view for all records, and samtools, which prints them as text. */
function moreContenders({ path, samtools }) {
  const command = { name: `${samtools?.name} view`, run: () => runCommand('samtools', ['view', path]), result: null };
  return [
    { name: 'ours, one view', run: () => countFields(oneView(path)), result: null },
    ...(samtools === undefined ? [] : [command]),
  ];
}

function budgetsOf(gmod, samtools) {
  const scale = samtools === undefined ? [] : [{ peers: [`${samtools.name} view`], budget: null }];
  return [{ peers: [gmod], budget: BUDGET }, ...scale];
}

async function countOf(path) {
  return (await openAlignments(path)).count();
}

/** The fields of a record, as all contenders return them: text, or numbers. */
function fieldsOf(read) {
  return [
    read.name,
    read.flags,
    read.start,
    read.end,
    read.mappingQuality,
    read.mateStart,
    read.templateLength,
    read.sequence,
    read.qualities,
    ...TAGS.map((name) => read.tag(name)),
  ];
}

async function* oursOf(path) {
  const file = await openAlignments(path);
  for await (const read of file.records()) yield [fieldsOf(read), read.cigarText];
  await file.close();
}

async function* oneView(path) {
  const file = await openAlignments(path);
  const read = new AlignmentRecord();
  for await (const bytes of file.recordBytes()) {
    for (let at = 0; at < bytes.length; at = read.byteEnd) yield [fieldsOf(read.at(bytes, at)), read.cigarText];
  }
  await file.close();
}

async function* gmodBam(bamPath) {
  const file = new BamFile({ bamPath, baiPath: `${bamPath}.bai` });
  await file.getHeader();
  for (const read of await file.getRecordsForRange('chr1', 0, END)) {
    const { name, flags, start, end, mq, next_pos: mateStart, template_length: length, seq, qual, tags } = read;
    yield [[name, flags, start, end, mq, mateStart, length, seq, qual, ...TAGS.map((tag) => tags[tag])], read.CIGAR];
  }
}

/** Its records have features instead of a CIGAR. */
async function* gmodCram(cramPath) {
  const index = new CraiIndex({ path: `${cramPath}.crai` });
  const file = new IndexedCramFile({ cramPath, index });
  for (const read of await file.getRecordsForRange(0, 1, END)) {
    const { readName, flags, alignmentStart, lengthOnRef, mappingQuality, mate, templateLength, tags } = read;
    const start = alignmentStart - 1;
    const fields = [readName, flags, start, start + lengthOnRef, mappingQuality, mate.alignmentStart - 1, templateLength];
    yield [[...fields, read.getReadBases(), read.qualityScores, ...TAGS.map((tag) => tags[tag])], read.readFeatures];
  }
}

/** Consumes the fields of all records, so that no work can be optimised away. */
async function countFields(records) {
  let length = 0;
  for await (const [fields, alignment] of records) {
    for (const field of fields) length += typeof field === 'number' ? field & 1 : (field?.length ?? 0);
    length += alignment?.length ?? 0;
  }
  return String(length);
}

async function* linesOf(records) {
  for await (const [fields] of records) yield `${fields.map(String).join('\t')}\n`;
}
