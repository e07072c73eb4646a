// What the @gmod packages do. Each function returns a function that does the work, and again for the same open file.
import { gmodMajor, importGmod } from '../../gmod.mjs';
import { readFasta } from '../data/genome.mjs';
import { Sums } from './sums.mjs';

const END = 2 ** 29;
/** Whether positions are 0-based, and regions half-open. */
const isZeroBased = gmodMajor('@gmod/cram') >= 10;

export async function bamFields({ path }) {
  const records = await openBamRecords(path);
  return () =>
    sumUp(records, (read, sums) => {
      const {
        name,
        flags,
        start,
        end,
        mq,
        next_pos: mateStart,
        template_length: length,
        seq,
        qual,
        tags,
        CIGAR,
      } = read;
      for (const number of [flags, start, end, mq, mateStart, length, tags.NM, tags.AS, tags.XS]) sums.number(number);
      for (const text of [name, seq, CIGAR, tags.MD, tags.RG]) sums.text(text);
      sums.numbers(qual);
    });
}

export async function bamMismatches({ path }) {
  const records = await openBamRecords(path);
  return () => sumUp(records, sumMismatches);
}

/** The whole file is streamed by versions that can, and otherwise read as one region. */
async function openBamRecords(path) {
  const { BamFile, streamBamRecords } = await importGmod('@gmod/bam');
  return async function* batches() {
    if (streamBamRecords !== undefined) return yield* streamBamRecords({ bamPath: path });
    const file = new BamFile({ bamPath: path, baiPath: `${path}.bai` });
    await file.getHeader();
    yield await file.getRecordsForRange('chr1', 0, END);
  };
}

export async function bamRegions({ path, regions }) {
  const { BamFile } = await importGmod('@gmod/bam');
  const file = new BamFile({ bamPath: path, baiPath: `${path}.bai` });
  return async () => {
    await file.getHeader();
    const sums = new Sums();
    for (const { start, end } of regions) {
      for (const read of await file.getRecordsForRange('chr1', start, end))
        addPlace(sums, read.start, read.end, read.flags);
    }
    return sums;
  };
}

/** Until version 9, records have no CIGAR. */
export async function cramFields({ path, genome, hasCigars }) {
  const batches = await openCramRecords(path, genome);
  return () =>
    sumUp(batches, (read, sums) => {
      const { readName, flags, lengthOnRef, mappingQuality, tags } = read;
      const start = startOf(read);
      for (const number of [flags, start, start + lengthOnRef, mappingQuality]) sums.number(number);
      for (const number of [tags.NM, tags.AS, tags.XS]) sums.number(number);
      for (const text of [readName, read.getReadBases(), tags.MD]) sums.text(text);
      if (hasCigars) sums.text(read.getCigarString());
      sums.numbers(read.qualityScores);
    });
}

export async function cramMismatches({ path, genome }) {
  const batches = await openCramRecords(path, genome);
  return () => sumUp(batches, sumMismatches);
}

export async function cramCigars({ path, genome }) {
  const batches = await openCramRecords(path, genome);
  return () =>
    sumUp(batches, (read, sums) => {
      read.forEachCigarOp((operation, length) => {
        sums.values += (length << 4) | operation;
      });
    });
}

function startOf(read) {
  return isZeroBased ? read.start : read.alignmentStart - 1;
}

async function openCramRecords(path, genome) {
  const file = await openCram(path, genome);
  return async function* batches() {
    yield await file.getRecordsForRange(0, isZeroBased ? 0 : 1, END);
  };
}

async function openCram(cramPath, genome) {
  const { CraiIndex, IndexedCramFile } = await importGmod('@gmod/cram');
  const bases = readFasta(genome).toString('latin1');
  return new IndexedCramFile({
    cramPath,
    index: new CraiIndex({ path: `${cramPath}.crai` }),
    fetchReferenceSequence: async (_, start, end) => bases.slice(start, end),
    seqFetch: async (_, start, end) => bases.slice(start - 1, end),
  });
}

export async function cramRegions({ path, genome, regions }) {
  const file = await openCram(path, genome);
  return async () => {
    const sums = new Sums();
    for (const { start, end } of regions) {
      // Until version 9, reads whose last base is at the first position, which is 1-based, are left out.
      for (const read of await file.getRecordsForRange(0, start, end)) {
        const place = startOf(read);
        addPlace(sums, place, place + read.lengthOnRef, read.flags);
      }
    }
    return sums;
  };
}

export async function genotypes({ path }) {
  const { TabixIndexedFile } = await importGmod('@gmod/tabix');
  const { default: VcfParser } = await importGmod('@gmod/vcf');
  return async () => {
    const file = new TabixIndexedFile({ path, tbiPath: `${path}.tbi` });
    const parser = new VcfParser({ header: await file.getHeader() });
    const sums = new Sums();
    let sum = 0;
    const addGenotype = (text, start, end) => {
      const [first, second] = [text.charCodeAt(start), text.charCodeAt(end - 1)];
      sum += (first === DOT ? -1 : first - ZERO) + (second === DOT ? -1 : second - ZERO);
      if (text.charCodeAt(start + 1) === PIPE) sum += 100;
    };
    await file.getLines('chr1', 0, END, (line) => {
      sums.records += 1;
      parser.parseLine(line).processGenotypes(addGenotype);
    });
    sums.values = sum;
    return sums;
  };
}

const [DOT, ZERO, PIPE] = [0x2e, 0x30, 0x7c];

async function sumUp(batches, add) {
  const sums = new Sums();
  for await (const records of batches()) {
    sums.records += records.length;
    for (const read of records) add(read, sums);
  }
  return sums;
}

function addPlace(sums, start, end, flags) {
  sums.records += 1;
  sums.values += start + end + flags;
}

/** The base of the reference is left out: only one of the packages has it for each difference. */
function sumMismatches(read, sums) {
  read.forEachMismatch((kind, position, length, bases, _quality, _reference, clipped) => {
    sums.values += kind + position + Math.max(length, clipped);
    if (kind === SUBSTITUTION) sums.values += bases.charCodeAt(0);
  });
}

const SUBSTITUTION = 0x58;
