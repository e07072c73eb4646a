// What htskit does by columns.
import { openAlignments } from '@htskit/records';
import { LETTERS, openCram } from './ours.mjs';
import { Sums } from './sums.mjs';

const NUMBERS = ['flags', 'start', 'end', 'mappingQuality', 'mateStart', 'templateLength'];
const BYTES = ['names', 'sequence', 'qualities'];
const [NUMBER_TAGS, TEXT_TAGS] = [
  ['NM', 'AS', 'XS'],
  ['MD', 'RG'],
];

export async function bamFields({ path, workers = 0 }) {
  const file = await openAlignments(path, { workers });
  const request = { fields: [...NUMBERS, ...BYTES, 'cigar'], tags: [...NUMBER_TAGS, ...TEXT_TAGS] };
  return async () => {
    const sums = new Sums();
    for await (const { length, tags, cigar, ...columns } of file.columns(undefined, request)) {
      sums.records += length;
      for (const field of NUMBERS) addNumbers(sums, columns[field]);
      for (const tag of NUMBER_TAGS) addNumbers(sums, tags[tag].values);
      for (const field of BYTES) addLists(sums, columns[field]);
      for (const tag of TEXT_TAGS) addLists(sums, tags[tag]);
      addNumbers(sums, cigar.values);
    }
    return sums;
  };
}

/** The same sums by records. */
export async function bamRecords({ path, workers = 0 }) {
  const file = await openAlignments(path, { workers });
  return async () => {
    const sums = new Sums();
    for await (const read of file.records()) {
      sums.records += 1;
      for (const field of NUMBERS) sums.values += read[field];
      for (const tag of NUMBER_TAGS) sums.values += read.tag(tag);
      for (const text of [read.name, read.sequence, ...TEXT_TAGS.map((tag) => read.tag(tag))]) sums.text(text);
      sums.numbers(read.qualities);
      read.forEachCigar((operation, length) => {
        sums.values += (length << 4) | OPERATIONS.indexOf(operation);
      });
    }
    return sums;
  };
}

const OPERATIONS = 'MIDNSHP=X';

export async function cramCigars({ path, genome, workers = 0 }) {
  const file = await openCram(path, { genome, workers });
  return async () => {
    const sums = new Sums();
    for await (const { length, cigar } of file.columns(undefined, { fields: ['cigar'] })) {
      sums.records += length;
      addNumbers(sums, cigar.values);
    }
    return sums;
  };
}

export async function bamMismatches({ path, workers = 0 }) {
  return sumMismatches(await openAlignments(path, { workers }));
}

export async function cramMismatches({ path, genome, workers = 0 }) {
  return sumMismatches(await openCram(path, { genome, workers }));
}

function sumMismatches(file) {
  return async () => {
    const sums = new Sums();
    for await (const { length, mismatches } of file.columns(undefined, { fields: ['mismatches'] })) {
      sums.records += length;
      addNumbers(sums, mismatches.position);
      addNumbers(sums, mismatches.length);
      addNumbers(sums, mismatches.base);
      for (const kind of mismatches.kind) sums.values += LETTERS[kind];
    }
    return sums;
  };
}

function addNumbers(sums, numbers) {
  let sum = 0;
  for (let at = 0; at < numbers.length; at += 1) sum += numbers[at];
  sums.values += sum;
}

/** Adds the length of each list and one of its numbers. */
function addLists(sums, { offsets, values }) {
  let sum = 0;
  for (let at = 1; at < offsets.length; at += 1) {
    const length = offsets[at] - offsets[at - 1];
    if (length > 0) sum += length + values[offsets[at - 1] + (length >> 1)];
  }
  sums.values += sum;
}
