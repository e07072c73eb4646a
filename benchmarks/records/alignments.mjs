// Measures the records of a BAM and of a CRAM file, each with all of its fields, from opening the file on.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BamFile } from '@gmod/bam';
import { CraiIndex, IndexedCramFile } from '@gmod/cram';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { AlignmentRecord, parseBamHeader } from '@htskit/formats';
import { indexBam } from '@htskit/indexes';
import { openAlignments } from '@htskit/records';
import { npmPeer, race, throughputRows } from '../harness.mjs';
import { findCommand, runCommand } from '../installed-command.mjs';
import { noodles } from '../noodles/noodles.mjs';
import { makeBamFile } from '../plan/region-files.mjs';
import { measurePanel, ourPanel } from './regions.mjs';

const BYTES = 10_000_000;
/** The end of all regions: no reference is longer. */
const END = 2 ** 28;
/** DESIGN: at least twice as fast as the peers on npm. */
const BUDGET = 2;
const TAGS = ['NM', 'MD', 'AS', 'XS', 'RG'];

/** Returns rows for BAM and, if samtools is installed to write it, CRAM. */
export async function measureAlignments(folder) {
  const path = join(folder, 'reads.bam');
  const { data } = makeBamFile({ length: BYTES, count: 0 });
  const bases = baseConsensus(data);
  data.writeInt32LE(bases.length, LENGTH_OFFSET);
  const bytes = Buffer.concat([deflateBlocks(data), EOF_MARKER]);
  writeFileSync(path, bytes);
  writeFileSync(`${path}.bai`, await indexBam([bytes]));
  const samtools = findCommand('samtools');
  const rows = [await measureBam(path, samtools), await measureBamRegions(path, bases.length)];
  if (samtools !== undefined) rows.push(await measureCram({ folder, path, bases, samtools }));
  return rows.flat();
}

/** The offset of the length of the only reference in the uncompressed file. */
const LENGTH_OFFSET = 21;
const N = 0x4e;

/** Returns the bases of the reads at each position of the reference, and N between them. */
function baseConsensus(data) {
  const read = new AlignmentRecord();
  const { byteLength } = parseBamHeader(data);
  const bases = new Uint8Array(data.length).fill(N);
  let length = 0;
  for (let at = byteLength; at < data.length; at = read.byteEnd) {
    read.at(data, at);
    bases.set(Buffer.from(read.sequence, 'latin1'), read.start);
    length = Math.max(length, read.end);
  }
  return bases.subarray(0, length);
}

async function measureBam(path, samtools) {
  const name = npmPeer('@gmod/bam');
  const rust = noodles('noodles-bam', 'records', path);
  const contenders = [
    contender('ours', (visit) => oursOf(visit, path)),
    contender(name, (visit) => gmodBam(visit, path)),
    ...moreContenders({ path, samtools }),
    ...(rust === undefined ? [] : [{ ...rust, result: null }]),
  ];
  const work = { name: 'BAM, all fields', unit: 'records/s', amount: await countOf(path) };
  return throughputRows({ ...work, budgets: budgetsOf(name, samtools) }, await race(contenders, { rounds: 5 }));
}

function measureBamRegions(path, length) {
  return measurePanel({
    format: 'BAM',
    length,
    ours: async function* records(regions) {
      yield* ourPanel(await openAlignments(path), regions, ({ name, start }) => `${name} ${start}\n`);
    },
    peer: async function* records(regions) {
      const file = new BamFile({ bamPath: path, baiPath: `${path}.bai` });
      await file.getHeader();
      for (const { referenceName, start, end } of regions) {
        for (const read of await file.getRecordsForRange(referenceName, start, end))
          yield `${read.name} ${read.start}\n`;
      }
    },
    peerNames: ['@gmod/bam'],
  });
}

async function measureCram({ folder, path: bam, bases, samtools }) {
  const [path, fasta] = [join(folder, 'reads.cram'), join(folder, 'genome.fa')];
  writeFileSync(fasta, Buffer.concat([Buffer.from('>chr1\n'), bases, Buffer.from('\n')]));
  // MD and NM are stored, which @gmod/cram does not generate. RG would need a read group in the header.
  const options = ['store_md=1', 'store_nm=1'].flatMap((option) => ['--output-fmt-option', option]);
  await runCommand(samtools.command, ['view', '-C', '-T', fasta, '-x', 'RG', ...options, '-o', path, bam]);
  await runCommand(samtools.command, ['index', path]);
  const reference = async ({ start, end }) => bases.subarray(start, end);
  const text = Buffer.from(bases).toString('latin1');
  const seqFetch = async (_, start, end) => text.slice(start - 1, end);
  const name = npmPeer('@gmod/cram');
  const contenders = [
    contender('ours', (visit) => oursOf(visit, path, { reference })),
    contender(name, (visit) => gmodCram(visit, path, seqFetch)),
    ...moreContenders({ path, samtools, options: { reference }, flags: ['-T', fasta] }),
  ];
  const work = { name: 'CRAM, all fields', unit: 'records/s', amount: await countOf(bam) };
  const rows = throughputRows({ ...work, budgets: budgetsOf(name, samtools) }, await race(contenders, { rounds: 5 }));
  return [...rows, ...(await measureCramRegions(path, { length: bases.length, reference, seqFetch }))];
}

function measureCramRegions(path, { length, reference, seqFetch }) {
  return measurePanel({
    format: 'CRAM',
    length,
    ours: async function* records(regions) {
      yield* ourPanel(await openAlignments(path, { reference }), regions, ({ name, start }) => `${name} ${start}\n`);
    },
    peer: async function* records(regions) {
      const file = openGmodCram(path, seqFetch);
      for (const { start, end } of regions) {
        // It excludes the reads whose last base is at `start`, which is 1-based.
        const reads = await file.getRecordsForRange(0, start, end);
        for (const { readName, alignmentStart } of reads) yield `${readName} ${alignmentStart - 1}\n`;
      }
    },
    peerNames: ['@gmod/cram'],
  });
}

/** Returns a contender whose `each` calls a function with the fields and the alignment of each record. */
function contender(name, each) {
  return { name, run: () => countFields(each), result: () => linesOf(each) };
}

/** One view for all records, and samtools, which prints them as text. */
function moreContenders({ path, samtools, options, flags = [] }) {
  const ours = contender('ours, one view', (visit) => oneView(visit, path, options));
  if (samtools === undefined) return [ours];
  const run = () => runCommand(samtools.command, ['view', ...flags, path]);
  return [ours, { name: `${samtools.name} view`, run, result: null }];
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

async function oursOf(visit, path, options) {
  const file = await openAlignments(path, options);
  for await (const read of file.records()) visit(fieldsOf(read), read.cigarText);
  await file.close();
}

async function oneView(visit, path, options) {
  const file = await openAlignments(path, options);
  const read = new AlignmentRecord();
  for await (const bytes of file.recordBytes()) {
    for (let at = 0; at < bytes.length; at = read.byteEnd) visit(fieldsOf(read.at(bytes, at)), read.cigarText);
  }
  await file.close();
}

async function gmodBam(visit, bamPath) {
  const file = new BamFile({ bamPath, baiPath: `${bamPath}.bai` });
  await file.getHeader();
  for (const read of await file.getRecordsForRange('chr1', 0, END)) {
    const { name, flags, start, end, mq, next_pos: mateStart, template_length: length, seq, qual, tags } = read;
    visit([name, flags, start, end, mq, mateStart, length, seq, qual, ...TAGS.map((tag) => tags[tag])], read.CIGAR);
  }
}

function openGmodCram(cramPath, seqFetch) {
  return new IndexedCramFile({ cramPath, index: new CraiIndex({ path: `${cramPath}.crai` }), seqFetch });
}

/** Its records have features instead of a CIGAR. */
async function gmodCram(visit, cramPath, seqFetch) {
  const file = openGmodCram(cramPath, seqFetch);
  for (const read of await file.getRecordsForRange(0, 1, END)) {
    const { readName, flags, alignmentStart, lengthOnRef, mappingQuality, mate, templateSize, tags } = read;
    const start = alignmentStart - 1;
    const fields = [readName, flags, start, start + lengthOnRef, mappingQuality, mate.alignmentStart - 1, templateSize];
    const values = [read.getReadBases(), read.qualityScores, ...TAGS.map((tag) => tags[tag])];
    visit([...fields, ...values], read.readFeatures);
  }
}

/** Consumes the fields of all records, so that no work can be optimised away. */
async function countFields(each) {
  let length = 0;
  await each((fields, alignment) => {
    for (const field of fields) length += typeof field === 'number' ? field & 1 : (field?.length ?? 0);
    length += alignment?.length ?? 0;
  });
  return String(length);
}

async function linesOf(each) {
  const lines = [];
  await each((fields) => lines.push(`${fields.map(String).join('\t')}\n`));
  return lines.join('');
}
