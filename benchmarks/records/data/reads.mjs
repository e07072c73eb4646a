// Reads of a genome with real differences: their CIGAR, MD and NM are those of their bases.
import { createRandom } from '../../random.mjs';

const BASES = 'ACGT';

/** Rates of differences for each base, in millionths, and how they are sequenced. */
export const SHORT = { length: 150, substitutions: 4000, insertions: 150, deletions: 150, isPaired: true };
export const LONG = { length: 10_000, substitutions: 20_000, insertions: 10_000, deletions: 15_000, isPaired: false };

/** Returns random bases. */
export function makeGenome(length) {
  const random = createRandom(5);
  const bases = Buffer.alloc(length);
  for (let at = 0; at < length; at += 1) bases[at] = BASES.charCodeAt(random() >>> 30);
  return bases;
}

/** Returns the lines of `count` reads as SAM text, in the order of their positions. */
export function makeReads(genome, count, kind) {
  const random = createRandom(kind.length);
  const reads = [];
  while (reads.length < count) reads.push(...makeTemplate(genome, kind, { random, ordinal: reads.length }));
  return reads.toSorted((a, b) => a.start - b.start).map(({ text }) => text);
}

/** Returns the one or two reads of a template. */
function makeTemplate(genome, kind, { random, ordinal }) {
  const span = kind.length + Math.ceil(kind.length / 5);
  const insert = kind.isPaired ? 300 + (random() % 200) : 0;
  const start = random() % (genome.length - insert - span);
  const name = kind.isPaired
    ? `A00123:45:HXXXXDSXX:${1 + (random() >>> 30)}:${1101 + (random() % 1500)}:${random() % 32000}:${ordinal}`
    : `${hex(random)}-${hex(random)}-${ordinal}`;
  if (!kind.isPaired) return [toLine(name, align(genome, start, { kind, random }), { flags: random() & 16, random })];
  const reads = [start, start + insert - kind.length].map((at) => align(genome, at, { kind, random }));
  const template = reads[1].end - reads[0].start;
  const isSwapped = (random() & 1) === 1;
  return reads.map((read, index) => {
    const flags = (index === 0 ? 99 : 147) ^ (isSwapped ? 0xc0 : 0);
    const mate = { start: reads[1 - index].start, length: index === 0 ? template : -template };
    return toLine(name, read, { flags, mate, random });
  });
}

function hex(random) {
  return random().toString(16).padStart(8, '0');
}

/** Copies bases of the genome with differences. One of twenty reads ends in a soft clip. */
function align(genome, start, { kind, random }) {
  const operations = [];
  const add = (operation, length) => {
    const last = operations.at(-1);
    if (last?.operation === operation) last.length += length;
    else operations.push({ operation, length });
  };
  const clipped = random() % 20 === 0 ? Math.floor(kind.length / 10) + (random() % 20) : 0;
  const [bases, md] = [[], []];
  let [at, matches, edits] = [start, 0, 0];
  while (bases.length < kind.length - clipped) {
    const draw = random() % 1_000_000;
    const isInner = bases.length > 5 && bases.length < kind.length - clipped - 5;
    if (isInner && operations.at(-1).operation === 'M' && draw < kind.insertions + kind.deletions) {
      const length = 1 + (random() % 3);
      edits += length;
      add(draw < kind.insertions ? 'I' : 'D', length);
      if (draw < kind.insertions) {
        for (let i = 0; i < length; i += 1) bases.push(BASES.charCodeAt(random() >>> 30));
      } else {
        md.push(matches, '^', genome.toString('latin1', at, at + length));
        matches = 0;
        at += length;
      }
    } else {
      const isOther = draw >= 500_000 && draw < 500_000 + kind.substitutions;
      bases.push(isOther ? otherThan(genome[at], random) : genome[at]);
      if (isOther) {
        edits += 1;
        md.push(matches, String.fromCharCode(genome[at]));
        matches = 0;
      } else matches += 1;
      add('M', 1);
      at += 1;
    }
  }
  const missing = kind.length - bases.length;
  for (let i = 0; i < missing; i += 1) bases.push(BASES.charCodeAt(random() >>> 30));
  if (missing > 0) add('S', missing);
  const cigar = operations.map(({ operation, length }) => `${length}${operation}`).join('');
  return { start, end: at, bases: Buffer.from(bases).toString('latin1'), cigar, md: [...md, matches].join(''), edits };
}

function otherThan(base, random) {
  return BASES.charCodeAt((BASES.indexOf(String.fromCharCode(base)) + 1 + (random() % 3)) % 4);
}

function toLine(name, { start, bases, cigar, md, edits }, { flags, mate, random }) {
  const [mateName, mateStart, length] = mate === undefined ? ['*', 0, 0] : ['=', mate.start + 1, mate.length];
  const fields = [name, flags, 'chr1', start + 1, 60, cigar, mateName, mateStart, length, bases];
  const score = bases.length - edits;
  const tags = [`NM:i:${edits}`, `MD:Z:${md}`, `AS:i:${score}`, `XS:i:${score >> 1}`, 'RG:Z:sample'];
  return { start, text: `${[...fields, makeQualities(bases.length, random), ...tags].join('\t')}\n` };
}

/** Forty levels, mostly high, as sequencers that do not bin them write. */
function makeQualities(length, random) {
  const qualities = Buffer.alloc(length);
  for (let at = 0; at < length; at += 1) qualities[at] = 0x49 - ((random() % 40) * (random() % 40)) / 40;
  return qualities.toString('latin1');
}
