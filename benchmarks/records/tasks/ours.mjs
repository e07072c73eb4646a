// What htskit does by records. Each function returns a function that does the work, and again for the same open file.
import { MISMATCH_KINDS } from '@htskit/formats';
import { openAlignments, openVariants } from '@htskit/records';
import { readFasta } from '../data/genome.mjs';
import { KINDS, Sums } from './sums.mjs';

export async function bamFields({ path, workers = 0 }) {
  const file = await openAlignments(path, { workers });
  return () =>
    sumUp(file, (read, sums) => {
      const { name, flags, start, end, mappingQuality, mateStart, templateLength, sequence, qualities, cigarText } =
        read;
      for (const number of [flags, start, end, mappingQuality, mateStart, templateLength]) sums.number(number);
      for (const tag of ['NM', 'AS', 'XS']) sums.number(read.tag(tag));
      for (const text of [name, sequence, cigarText, read.tag('MD'), read.tag('RG')]) sums.text(text);
      sums.numbers(qualities);
    });
}

export async function bamMismatches({ path, workers = 0 }) {
  const file = await openAlignments(path, { workers });
  return () => sumUp(file, sumMismatches);
}

export async function cramMismatches({ path, genome, workers = 0 }) {
  const file = await openCram(path, { genome, workers });
  return () => sumUp(file, sumMismatches);
}

/** The letter of each kind of difference. */
export const LETTERS = MISMATCH_KINDS.map((kind) => KINDS[kind]);

function sumMismatches(read, sums) {
  read.forEachMismatch((kind, start, length, _readStart, base) => {
    sums.values += LETTERS[kind] + start + length + base;
  });
}

export async function genotypes({ path, workers = 0 }) {
  const file = await openVariants(path, { workers });
  return async () => {
    const sums = new Sums();
    for await (const { length, alleles, phased } of file.genotypes()) {
      sums.records += length;
      let sum = 0;
      for (let at = 0; at < alleles.length; at += 1) sum += alleles[at];
      for (let at = 0; at < phased.length; at += 1) sum += 100 * ONES[phased[at]];
      sums.values += sum;
    }
    return sums;
  };
}

/** The number of bits that are set in each byte. */
const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

export async function cramFields({ path, genome, hasCigars, workers = 0 }) {
  const file = await openCram(path, { genome, workers });
  return () =>
    sumUp(file, (read, sums) => {
      const { name, flags, start, end, mappingQuality, sequence, qualities } = read;
      for (const number of [flags, start, end, mappingQuality]) sums.number(number);
      for (const tag of ['NM', 'AS', 'XS']) sums.number(read.tag(tag));
      for (const text of [name, sequence, read.tag('MD')]) sums.text(text);
      if (hasCigars) sums.text(read.cigarText);
      sums.numbers(qualities);
    });
}

export async function bamRegions({ path, regions, workers = 0 }) {
  const file = await openAlignments(path, { workers });
  return () => sumRegions(file, regions);
}

export async function cramRegions({ path, genome, regions, workers = 0 }) {
  const file = await openCram(path, { genome, workers });
  return () => sumRegions(file, regions);
}

export function openCram(path, { genome, workers }) {
  const bases = readFasta(genome);
  return openAlignments(path, { ...{ workers }, reference: ({ start, end }) => bases.subarray(start, end) });
}

async function sumUp(file, add) {
  const sums = new Sums();
  for await (const read of file.records()) {
    sums.records += 1;
    add(read, sums);
  }
  return sums;
}

async function sumRegions(file, regions) {
  const sums = new Sums();
  for (const region of regions) {
    for await (const { start, end, flags } of file.records({ referenceName: 'chr1', ...region })) {
      sums.records += 1;
      sums.values += start + end + flags;
    }
  }
  return sums;
}
