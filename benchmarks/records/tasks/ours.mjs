// What htskit does. Each function returns a function that does the work, and again for the same open file.
import { openAlignments } from '@htskit/records';
import { readFasta } from '../data/genome.mjs';
import { Sums } from './sums.mjs';

export async function bamFields({ path }) {
  const file = await openAlignments(path);
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

export async function cramFields({ path, genome }) {
  const file = await openCram(path, genome);
  return () =>
    sumUp(file, (read, sums) => {
      const { name, flags, start, end, mappingQuality, sequence, qualities, cigarText } = read;
      for (const number of [flags, start, end, mappingQuality]) sums.number(number);
      for (const tag of ['NM', 'AS', 'XS']) sums.number(read.tag(tag));
      for (const text of [name, sequence, cigarText, read.tag('MD')]) sums.text(text);
      sums.numbers(qualities);
    });
}

export async function bamRegions({ path, regions }) {
  const file = await openAlignments(path);
  return () => sumRegions(file, regions);
}

export async function cramRegions({ path, genome, regions }) {
  const file = await openCram(path, genome);
  return () => sumRegions(file, regions);
}

function openCram(path, genome) {
  const bases = readFasta(genome);
  return openAlignments(path, { reference: ({ start, end }) => bases.subarray(start, end) });
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
